// What count_calls sees of each form's workspace (mlxcel 2200): memory that is not its own, and
// streams that share scratch with nothing between them.
#include <barrier>

#include "forms/shared_workspace.h"
#include "forms_lab.h"

namespace hiplab::lab {
namespace {

constexpr GemmShape kSmall{ElementType::bf16, false, true, 64, 64, 64, 1};     // 64 KiB of scratch
constexpr GemmShape kLarge{ElementType::bf16, false, true, 256, 256, 256, 1};  // 1 MiB or more
constexpr GemmShape kMiddle{ElementType::bf16, false, true, 128, 128, 64, 1};

constexpr Form kRight[] = {Form::fixed, Form::lease_sync, Form::event_handoff, Form::per_call};
constexpr Form kWrong[] = {Form::filed, Form::lease_call, Form::thread_owned};

const driver::Provider& watched() {
  driver::host::OpenBlas::get();
  driver::Request request;
  request.driver = "host";
  request.profile = "splitk";
  request.count_calls = true;
  return *driver::choose(request).provider;
}

class WatchedWorkspace : public ::testing::TestWithParam<Form> {
 protected:
  std::unique_ptr<Backend> open_form() { return open_with(watched(), "workspace", GetParam()); }
  bool filed() const { return GetParam() == Form::filed; }
  std::int64_t counted(const std::string& name) {
    return driver::watched_counts().at("workspace." + name) - before_["workspace." + name];
  }
  void expect_own_memory() {
    EXPECT_EQ(counted("freed"), 0);
    EXPECT_EQ(counted("past-the-end"), 0);
  }

  std::map<std::string, std::int64_t> before_ = (watched(), driver::watched_counts());
};

// One thread enqueues on four streams in turn, as the host-callback thread does.
class WatchedTurns : public WatchedWorkspace {
 protected:
  void enqueue_in_turn() {
    const auto backend = open_form();
    std::vector<std::unique_ptr<CommandStream>> streams;
    std::vector<std::unique_ptr<IntegerGemm>> gemms;
    for (unsigned s = 0; s < 4; ++s) {
      streams.push_back(backend->stream(0));
      gemms.push_back(std::make_unique<IntegerGemm>(*backend, *streams[s], kSmall, 1, s));
    }
    for (int round = 0; round < 3; ++round) {
      for (const auto& gemm : gemms) gemm->enqueue();
    }
    for (const auto& stream : streams) stream->synchronize();
    EXPECT_EQ(backend->counters().at("route.hipblaslt"), 12);
  }
};

class WatchedTurnsRight : public WatchedTurns {};
TEST_P(WatchedTurnsRight, AreOrderedOrHaveBlocksOfTheirOwn) {
  enqueue_in_turn();
  EXPECT_EQ(counted("two-streams"), 0);
  expect_own_memory();
  if (GetParam() == Form::fixed) {
    EXPECT_EQ(counted("blocks"), 4);
  } else if (GetParam() != Form::per_call) {
    EXPECT_EQ(counted("blocks"), 1);
  }
}
INSTANTIATE_TEST_SUITE_P(FixedAndOtherRight, WatchedTurnsRight, ::testing::ValuesIn(kRight),
                         form_name);

class WatchedTurnsWrong : public WatchedTurns {};
TEST_P(WatchedTurnsWrong, ShareOneBlock) {
  enqueue_in_turn();
  EXPECT_EQ(counted("two-streams"), 11) << "all but the first";
  EXPECT_EQ(counted("blocks"), 1);
}
INSTANTIATE_TEST_SUITE_P(FiledAndOtherWrong, WatchedTurnsWrong, ::testing::ValuesIn(kWrong),
                         form_name);

class WatchedThreadsRight : public WatchedWorkspace {};

// Streams come and go, and their handle values may come again.
TEST_P(WatchedThreadsRight, EightThreads) {
  const auto backend = open_form();
  on_threads(8, [&](int t) {
    for (int round = 0; round < 2; ++round) {
      const auto stream = backend->stream(0);
      IntegerGemm small(*backend, *stream, kSmall, 1, 100u * t + round);
      IntegerGemm large(*backend, *stream, kMiddle, 1, 100u * t + round);
      for (IntegerGemm* gemm : {&small, &large, &small}) gemm->enqueue();
      EXPECT_EQ(small.wrong(), 0);
      EXPECT_EQ(large.wrong(), 0);
    }
  });
  EXPECT_EQ(backend->counters().at("route.hipblaslt"), 8 * 2 * 3);
  EXPECT_EQ(counted("two-streams"), 0);
  expect_own_memory();
}
INSTANTIATE_TEST_SUITE_P(FixedAndOtherRight, WatchedThreadsRight, ::testing::ValuesIn(kRight),
                         form_name);

// Half of the captures are discarded: the block of each serves a later capture, of any stream.
TEST_F(WatchedWorkspace, FixedCapturesOfEightThreads) {
  const auto backend = open(watched(), Form::fixed);
  std::barrier discarded(8);
  ::testing::internal::CaptureStderr();
  on_threads(8, [&](int t) {
    const auto stream = backend->stream(0);
    IntegerGemm gemm(*backend, *stream, kSmall, 1, static_cast<unsigned>(t));
    for (int round = 0; round < 4; ++round) {
      gemm.poison();
      gemm.enqueue();
      EXPECT_EQ(gemm.wrong(), 0);
      {
        const auto capture = backend->capture(*stream, hipStreamCaptureModeRelaxed);
        gemm.enqueue();
        discarded.arrive_and_wait();
      }
      gemm.poison();
      const auto capture = backend->capture(*stream, hipStreamCaptureModeRelaxed);
      gemm.enqueue();
      const auto graph = capture->end();
      graph->launch(*stream);
      EXPECT_EQ(gemm.wrong(), 0);
    }
  });
  const std::string told = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(told.find("discarded"), std::string::npos) << told;
  EXPECT_EQ(backend->counters().at("route.hipblaslt"), 8 * 4 * 3);
  EXPECT_EQ(counted("two-streams"), 0);
  expect_own_memory();
}

class WatchedForms : public WatchedWorkspace {};

// A captured GEMM has the block that another stream's GEMMs have, and its graph may be launched at
// any time.
TEST_P(WatchedForms, ACapturedGemmAndAnotherStream) {
  const auto backend = open_form();
  const auto stream_a = backend->stream(0);
  const auto stream_b = backend->stream(0);
  IntegerGemm a(*backend, *stream_a, kSmall, 1, 1);
  IntegerGemm b(*backend, *stream_b, kSmall, 1, 2);
  a.enqueue();
  EXPECT_EQ(a.wrong(), 0);
  const auto capture = backend->capture(*stream_a, hipStreamCaptureModeRelaxed);
  a.enqueue();
  const auto graph = capture->end();
  stream_a->synchronize();
  b.enqueue();
  EXPECT_EQ(b.wrong(), 0);
  EXPECT_EQ(counted("two-streams"), filed() ? 1 : 0);
}

// A's GEMM has been given the buffer and is about to make its call when B's larger one grows it.
TEST_P(WatchedForms, GrowthBetweenAcquireAndCall) {
  const auto backend = open_form();
  const auto stream_a = backend->stream(0);
  const auto stream_b = backend->stream(0);
  IntegerGemm a(*backend, *stream_a, kSmall, 1, 1);
  IntegerGemm b(*backend, *stream_b, kLarge, 1, 2);
  a.enqueue();
  EXPECT_EQ(a.wrong(), 0);
  HoldAt hold("workspace.acquired");
  auto first = std::async(std::launch::async, [&] { a.enqueue(); });
  hold.wait_until_held();
  b.enqueue();
  EXPECT_EQ(b.wrong(), 0);
  hold.release();
  first.get();
  stream_a->synchronize();
  EXPECT_EQ(counted("freed"), filed() ? 1 : 0);
  EXPECT_EQ(counted("past-the-end"), 0);
}

// A stream is destroyed while its scratch may be in use, and the next one, perhaps of the same
// handle value, is given it.
TEST_P(WatchedForms, AStreamThatReplacesADestroyedOne) {
  const auto backend = open_form();
  const auto use_a_new_stream = [&] {
    const auto stream = backend->stream(0);
    IntegerGemm gemm(*backend, *stream, kSmall, 1, 1);
    gemm.enqueue();
    backend->device(0).workspaces().release(stream->get());
  };
  use_a_new_stream();
  use_a_new_stream();
  expect_own_memory();
  EXPECT_EQ(counted("blocks"), filed() ? 1 : 2);
}

HIPLAB_BOTH_FORMS(WatchedForms);

// Init allocates while a GEMM that found no buffer allocates as well: pointer A, pointer B, size B,
// size A. The record then says 32 MiB of a small block.
TEST_F(WatchedWorkspace, FiledInitAndGrowthInterleaved) {
  const auto backend = open(watched(), Form::fixed);
  const auto stream = backend->stream(0);
  backend::Counters counters;
  forms::SharedWorkspace workspace({watched(), counters}, 0);
  std::promise<void> b_is_growing;
  std::promise<void> a_has_pointer;
  std::promise<void> b_is_done;
  {
    const sync::ListenToPoints listener([&](const std::string& name, std::thread::id) {
      if (name == "workspace.grow.begin") {
        b_is_growing.set_value();
        a_has_pointer.get_future().wait();
      } else if (name == "workspace.init.pointer-set") {
        a_has_pointer.set_value();
        b_is_done.get_future().wait();
      }
    });
    auto b = std::async(std::launch::async, [&] { workspace.acquire(stream->get(), 4096); });
    b_is_growing.get_future().wait();
    auto a = std::async(std::launch::async, [&] { workspace.allocate_at_init(); });
    b.get();
    b_is_done.set_value();
    a.get();
  }
  // With an algorithm that needs none, so that nothing is written past its end.
  IntegerGemm gemm(*backend, *stream, kSmall, 1, 1);
  gemm.enqueue();
  EXPECT_EQ(counted("past-the-end"), 0);
  const backend::WorkspaceLease lease = workspace.acquire(stream->get(), 1 << 20);
  const driver::Table& api = backend->api();
  hipblasLtHandle_t handle = backend->device(0).blaslt().get();
  const auto d = backend::make_descriptors(api, 0, kSmall);
  const auto found = backend::query_heuristics(api, 0, handle, d, 1, 0);
  ASSERT_FALSE(found.empty());
  const float one = 1;
  const auto memory = backend->memory(0, 64 * 64 * sizeof(float));
  EXPECT_EQ(
      api.hipblasLtMatmul(handle, d.desc.get(), &one, memory->get(), d.first.get(), memory->get(),
                          d.second.get(), &one, memory->get(), d.c.get(), memory->get(), d.d.get(),
                          &found[0].algo, lease.pointer(), lease.bytes(), stream->get()),
      HIPBLAS_STATUS_SUCCESS);
  stream->synchronize();
  EXPECT_EQ(counted("past-the-end"), 1);
  EXPECT_EQ(counted("freed"), 0);
}

}  // namespace
}  // namespace hiplab::lab
