// What is done beside a capture that is none of its business (MIOpen 12265): it succeeds, and the
// capture goes on.
#include "lab.h"

namespace hiplab::lab {
namespace {

constexpr GemmShape kShape{ElementType::bf16, false, true, 64, 64, 64, 1};  // needs a workspace

std::int64_t live(const char* what) { return driver::live_objects().at(what); }

class BesideCaptureFixed : public ::testing::TestWithParam<hipStreamCaptureMode> {
 protected:
  // While a stream of another backend captures; that capture must not notice.
  template <typename Body>
  void beside_a_capture(Body body) {
    const auto stream = capturing_->stream(0);
    const auto block = capturing_->memory(0, 4096);
    const auto capture = capturing_->capture(*stream, GetParam());
    body();
    HIPLAB_CHECK(capturing_->api(), backend::Where{}, hipMemsetAsync, block->get(), 1,
                 block->bytes(), stream->get());
    EXPECT_EQ(capture->status(), hipStreamCaptureStatusActive);
    EXPECT_NO_THROW(capture->end());
  }

  static void on_another_thread(const std::function<void()>& body) {
    std::async(std::launch::async, body).get();
  }

  const driver::Provider& provider_ = host("splitk");
  const std::unique_ptr<Backend> capturing_ = open(provider_, Form::fixed);
};

INSTANTIATE_TEST_SUITE_P(Modes, BesideCaptureFixed,
                         ::testing::Values(hipStreamCaptureModeGlobal,
                                           hipStreamCaptureModeThreadLocal,
                                           hipStreamCaptureModeRelaxed));

TEST_P(BesideCaptureFixed, MemoryIsFreedByTheCapturingThread) {
  auto block = capturing_->memory(0, 4096);
  beside_a_capture([&] {
    const auto before = live("memory_blocks");
    block.reset();
    EXPECT_EQ(live("memory_blocks"), before - 1);
  });
}

TEST_P(BesideCaptureFixed, MemoryIsFreedByAnotherThread) {
  auto block = capturing_->memory(0, 4096);
  beside_a_capture([&] {
    const auto before = live("memory_blocks");
    on_another_thread([&] { block.reset(); });
    EXPECT_EQ(live("memory_blocks"), before - 1);
  });
}

// No handle exists yet. rocBLAS's is created, which a relaxed mode allows; hipBLASLt's is not, and
// the GEMM is right without it. The next one has it.
TEST_P(BesideCaptureFixed, TheFirstGemmRunsOnAnotherThread) {
  const auto backend = open(provider_, Form::fixed);
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, kShape, 2, 1);
  beside_a_capture([&] { on_another_thread([&] { gemm.enqueue(); }); });
  EXPECT_EQ(gemm.wrong(), 0);
  EXPECT_EQ(backend->counters().at("route.rocblas"), 1);
  gemm.poison();
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
  EXPECT_EQ(backend->counters().at("route.hipblaslt"), 1);
}

// f8 has no other route: it says what it waits for.
TEST_P(BesideCaptureFixed, AnF8GemmSaysWhyThereIsNoHandle) {
  const auto backend = open(provider_, Form::fixed);
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, {ElementType::f8, false, true, 64, 64, 64, 1}, 2, 1);
  beside_a_capture([&] {
    on_another_thread([&] {
      try {
        gemm.enqueue();
        ADD_FAILURE() << "no error";
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("or try again"), std::string::npos)
            << error.what();
      }
      try {
        backend->device(0).blaslt().get();
        ADD_FAILURE() << "no error";
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("the capture of another stream"),
                  std::string::npos)
            << error.what();
      }
    });
  });
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
}

// A capture that cannot be ended, as it has been given up on another thread, ends with its stream.
TEST_P(BesideCaptureFixed, AStreamThatIsClosedHasNoOpenCapture) {
  auto stream = capturing_->stream(0);
  auto capture = capturing_->capture(*stream, GetParam());
  on_another_thread([&] { capture.reset(); });
  stream.reset();
  EXPECT_TRUE(capturing_->device(0).blaslt().available());
}

// As work that is enqueued on its stream later is captured still, with the workspace that it lent.
TEST_P(BesideCaptureFixed, ACaptureThatCannotBeEndedKeepsItsWorkspace) {
  const auto stream = capturing_->stream(0);
  backend::Workspaces& workspaces = capturing_->device(0).workspaces();
  const auto workspace = [&] { return workspaces.acquire(stream->get(), 4096).pointer(); };
  const void* const own = workspace();
  auto capture = capturing_->capture(*stream, GetParam());
  const void* const lent = workspace();
  ASSERT_NE(lent, own);
  on_another_thread([&] { capture.reset(); });
  const bool ended = GetParam() == hipStreamCaptureModeRelaxed;  // as any thread may
  auto status = hipStreamCaptureStatusNone;
  ASSERT_EQ(provider_.table->hipStreamGetCaptureInfo(stream->get(), &status, nullptr), hipSuccess);
  EXPECT_EQ(status, ended ? hipStreamCaptureStatusNone : hipStreamCaptureStatusActive);
  EXPECT_EQ(workspace(), ended ? own : lent);
}

class Used {
 public:
  explicit Used(const driver::Provider& provider)
      : before_(driver::live_objects()), backend_(open(provider, Form::fixed)) {
    stream_ = backend_->stream(0);
    IntegerGemm gemm(*backend_, *stream_, kShape, 2, 1);
    gemm.enqueue();
    EXPECT_EQ(gemm.wrong(), 0);
    backend_->capture(*stream_, hipStreamCaptureModeRelaxed)->end();
  }

  void close_stream() { stream_.reset(); }
  void close() {
    close_stream();
    backend_.reset();
  }
  void expect_nothing_left() {
    const auto left = driver::live_objects();
    for (const auto& [what, count] : before_) EXPECT_EQ(left.at(what), count) << what;
  }

 private:
  const std::map<std::string, std::int64_t> before_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<CommandStream> stream_;
};

TEST_P(BesideCaptureFixed, AStreamIsClosed) {
  Used used(provider_);
  beside_a_capture([&] { on_another_thread([&] { used.close_stream(); }); });
}

TEST_P(BesideCaptureFixed, ABackendIsClosedByAnotherThread) {
  Used used(provider_);
  beside_a_capture([&] { on_another_thread([&] { used.close(); }); });
  used.expect_nothing_left();
}

TEST_P(BesideCaptureFixed, ABackendIsClosedByTheCapturingThread) {
  Used used(provider_);
  beside_a_capture([&] { used.close(); });
  used.expect_nothing_left();
}

// The workspaces that ended captures leave behind: a graph's own one, and one to spare.
class BesideCaptureWorkspaceFixed : public BesideCaptureFixed {
 protected:
  BesideCaptureWorkspaceFixed() {
    gemm_.enqueue();
    EXPECT_EQ(gemm_.wrong(), 0);
  }

  // Without a GEMM nothing uses the workspace that the capture lends.
  std::unique_ptr<backend::Graph> captured(bool with_gemm) {
    const auto capture = backend_->capture(*stream_, hipStreamCaptureModeRelaxed);
    if (with_gemm) gemm_.enqueue();
    return capture->end();
  }

  void trim() { backend_->device(0).workspaces().trim(); }

  template <typename Body>
  void frees_a_block_beside_a_capture(Body body) {
    beside_a_capture([&] {
      const auto before = live("memory_blocks");
      body();
      EXPECT_EQ(live("memory_blocks"), before - 1);
    });
  }

  const std::unique_ptr<Backend> backend_ = open(provider_, Form::fixed);
  const std::unique_ptr<CommandStream> stream_ = backend_->stream(0);
  IntegerGemm gemm_{*backend_, *stream_, kShape, 2, 1};
};

INSTANTIATE_TEST_SUITE_P(Modes, BesideCaptureWorkspaceFixed,
                         ::testing::Values(hipStreamCaptureModeGlobal,
                                           hipStreamCaptureModeThreadLocal,
                                           hipStreamCaptureModeRelaxed));

TEST_P(BesideCaptureWorkspaceFixed, AGraphIsDestroyedByAnotherThread) {
  auto graph = captured(true);
  graph->launch(*stream_);
  EXPECT_EQ(gemm_.wrong(), 0);
  frees_a_block_beside_a_capture([&] { on_another_thread([&] { graph.reset(); }); });
}

TEST_P(BesideCaptureWorkspaceFixed, AGraphIsDestroyedByTheCapturingThread) {
  auto graph = captured(true);
  frees_a_block_beside_a_capture([&] { graph.reset(); });
}

TEST_P(BesideCaptureWorkspaceFixed, ASpareOneIsTrimmedByAnotherThread) {
  captured(false);
  frees_a_block_beside_a_capture([&] { on_another_thread([&] { trim(); }); });
}

TEST_P(BesideCaptureWorkspaceFixed, ASpareOneIsTrimmedByTheCapturingThread) {
  captured(false);
  frees_a_block_beside_a_capture([&] { trim(); });
}

}  // namespace
}  // namespace hiplab::lab
