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

}  // namespace
}  // namespace hiplab::lab
