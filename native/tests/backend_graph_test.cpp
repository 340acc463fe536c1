// Graphs of the backend: capture, replay, and whose workspace a graph uses (mlxcel 2200, pytorch
// 193402).
#include <functional>

#include "host_test_tools.h"
#include "tracker_tools.h"

namespace hiplab::lab {
namespace {

// Its algorithm asks for scratch on the splitk profile.
constexpr GemmShape kShape{ElementType::bf16, false, true, 64, 64, 64, 1};
// Its kernels take long enough to overlap another graph's in one of some rounds.
constexpr GemmShape kDeep{ElementType::bf16, false, true, 64, 64, 1024, 1};
constexpr GemmShape kSingle{ElementType::f32, false, false, 64, 64, 128, 1};

// A GEMM that has run once on its stream, and its graph.
struct Captured {
  Captured(Backend& backend, const CommandStream& stream, const GemmShape& shape, unsigned seed)
      : gemm(backend, stream, shape, 1, seed) {
    gemm.enqueue();
    EXPECT_EQ(gemm.wrong(), 0);
    const auto capture = backend.capture(stream, hipStreamCaptureModeThreadLocal);
    gemm.enqueue();
    graph = capture->end();
    gemm.poison();
    stream.synchronize();
  }
  IntegerGemm gemm;
  std::unique_ptr<backend::Graph> graph;
};

class GraphFixed : public ::testing::Test {
 protected:
  const driver::Provider& provider_ = tracked_host();
  std::unique_ptr<Backend> backend_ = open(provider_, Form::fixed);
  std::unique_ptr<CommandStream> stream_ = backend_->stream(0);
};

TEST_F(GraphFixed, GemmsOfBothRoutesAreExactAtEachReplay) {
  for (const GemmShape& shape : {kShape, kSingle}) {
    Captured captured(*backend_, *stream_, shape, 3);
    for (int replay = 0; replay < 10; ++replay) {
      captured.gemm.poison();
      captured.graph->launch(*stream_);
      EXPECT_EQ(captured.gemm.wrong(), 0);
    }
  }
  EXPECT_EQ(backend_->counters().at("route.fallback"), 0);
}

TEST_F(GraphFixed, NothingRunsWhileCapturing) {
  IntegerGemm gemm(*backend_, *stream_, kShape, 1, 1);
  gemm.enqueue();
  ASSERT_EQ(gemm.wrong(), 0);
  gemm.poison();
  stream_->synchronize();
  const auto capture = backend_->capture(*stream_, hipStreamCaptureModeGlobal);
  EXPECT_EQ(capture->status(), hipStreamCaptureStatusActive);
  gemm.enqueue();
  const auto graph = capture->end();
  EXPECT_EQ(capture->status(), hipStreamCaptureStatusNone);
  EXPECT_TRUE(gemm.untouched());
  graph->launch(*stream_);
  EXPECT_EQ(gemm.wrong(), 0);
}

TEST_F(GraphFixed, WrongUseIsToldInASentence) {
  Captured captured(*backend_, *stream_, kShape, 1);
  const auto message = [](const std::function<void()>& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  auto capture = backend_->capture(*stream_, hipStreamCaptureModeGlobal);
  EXPECT_NE(message([&] {
              backend_->capture(*stream_, hipStreamCaptureModeGlobal);
            }).find("is capturing already"),
            std::string::npos);
  capture->end();
  EXPECT_NE(message([&] { capture->end(); }).find("has been ended already"), std::string::npos);
}

TEST_F(GraphFixed, ACaptureThatIsNotEndedIsDiscardedAndTold) {
  IntegerGemm gemm(*backend_, *stream_, kShape, 1, 1);
  gemm.enqueue();
  ASSERT_EQ(gemm.wrong(), 0);
  ::testing::internal::CaptureStderr();
  try {
    const auto capture = backend_->capture(*stream_, hipStreamCaptureModeGlobal);
    gemm.enqueue();
    throw Error("something else went wrong");
  } catch (const Error&) {
  }
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("was discarded"), std::string::npos);
  gemm.poison();
  gemm.enqueue();  // the stream is its own again
  EXPECT_EQ(gemm.wrong(), 0);
}

TEST_F(GraphFixed, AnInvalidCaptureEndsWithItsStatusAndTheStreamGoesOn) {
  IntegerGemm gemm(*backend_, *stream_, kShape, 1, 1);
  gemm.enqueue();
  ASSERT_EQ(gemm.wrong(), 0);
  const auto capture = backend_->capture(*stream_, hipStreamCaptureModeGlobal);
  EXPECT_THROW(static_cast<void>(stream_->idle()), Error);  // hipStreamQuery is refused
  EXPECT_EQ(capture->status(), hipStreamCaptureStatusInvalidated);
  int status = hipSuccess;
  try {
    capture->end();
  } catch (const Error& error) {
    status = error.call().status;
  }
  EXPECT_EQ(status, hipErrorStreamCaptureInvalidated);
  gemm.poison();
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
}

TEST_F(GraphFixed, ARelaxedGuardLetsAQueryPass) {
  const auto other = backend_->stream(0);
  const auto capture = backend_->capture(*stream_, hipStreamCaptureModeGlobal);
  {
    const backend::RelaxedCapture relaxed(backend_->api());
    EXPECT_TRUE(other->idle());
  }
  EXPECT_EQ(capture->status(), hipStreamCaptureStatusActive);
  EXPECT_THROW(static_cast<void>(other->idle()), Error) << "the guard has gone with its scope";
  EXPECT_EQ(capture->status(), hipStreamCaptureStatusInvalidated);
  EXPECT_THROW(static_cast<void>(capture->end()), Error);
}

// ---- Whose workspace ---------------------------------------------------------------------------

// A graph's first step writes partial sums into its workspace, the next reads them: two graphs with
// one workspace are wrong when they begin together, and are held so that they do.
void replay_together(const std::vector<std::pair<Captured*, const CommandStream*>>& graphs,
                     int rounds, int* wrong) {
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::unique_ptr<test::Hold>> holds;
    for (const auto& [captured, stream] : graphs) captured->gemm.poison();
    // Of the streams that they were captured on, which need not be those that they are launched on.
    ASSERT_EQ(tracked_host().table->hipDeviceSynchronize(), hipSuccess);
    for (const auto& [captured, stream] : graphs) {
      holds.push_back(std::make_unique<test::Hold>(stream->get()));
      captured->graph->launch(*stream);
    }
    for (auto& hold : holds) hold->open();
    for (const auto& [captured, stream] : graphs) {
      stream->synchronize();
    }
    for (const auto& [captured, stream] : graphs) *wrong += captured->gemm.wrong() != 0;
  }
}

// blaslt.graphs-share-workspace
class GraphWorkspaceForms : public ::testing::TestWithParam<Form> {};

TEST_P(GraphWorkspaceForms, TwoGraphsOfTwoStreamsAtOnce) {
  const auto backend = open_with(tracked_host(), "workspace", GetParam());
  const auto one = backend->stream(0);
  const auto two = backend->stream(0);
  Captured first(*backend, *one, kDeep, 1);
  Captured second(*backend, *two, kDeep, 2);
  int wrong = 0;
  for (int i = 0; i < 200 && wrong == 0; ++i) {
    replay_together({{&first, one.get()}, {&second, two.get()}}, 10, &wrong);
    if (GetParam() == Form::fixed && i == 1) break;
  }
  EXPECT_EQ(wrong == 0, GetParam() == Form::fixed) << wrong << " wrong";
}

HIPLAB_BOTH_FORMS(GraphWorkspaceForms);

TEST_F(GraphFixed, TwoGraphsOfOneStreamAtOnceOnTwoOthers) {
  const auto one = backend_->stream(0);
  const auto two = backend_->stream(0);
  Captured first(*backend_, *stream_, kShape, 1);
  Captured second(*backend_, *stream_, kShape, 2);
  int wrong = 0;
  replay_together({{&first, one.get()}, {&second, two.get()}}, 20, &wrong);
  EXPECT_EQ(wrong, 0);
}

TEST_F(GraphFixed, AGraphBesideItsStreamsOwnWork) {
  const auto other = backend_->stream(0);
  Captured captured(*backend_, *stream_, kShape, 1);
  IntegerGemm direct(*backend_, *stream_, kShape, 1, 9);
  for (int round = 0; round < 20; ++round) {
    captured.gemm.poison();
    direct.poison();
    stream_->synchronize();
    {
      test::Hold one(stream_->get());
      test::Hold two(other->get());
      direct.enqueue();
      captured.graph->launch(*other);
    }
    other->synchronize();
    EXPECT_EQ(direct.wrong(), 0);
    EXPECT_EQ(captured.gemm.wrong(), 0);
  }
}

// And runs beside a stream that may have been given the memory that its own stream freed.
// The graph would keep the joined stream's own buffer, which that stream uses and frees: refused
// there, so that rocBLAS, which needs none, takes the GEMM.
TEST_F(GraphFixed, AStreamThatJoinsACaptureLendsNoWorkspace) {
  auto joined = backend_->stream(0);
  IntegerGemm one(*backend_, *stream_, kShape, 1, 1);
  IntegerGemm two(*backend_, *joined, kShape, 1, 2);
  for (IntegerGemm* gemm : {&one, &two}) {
    gemm->enqueue();
    EXPECT_EQ(gemm->wrong(), 0);
  }
  const auto fork = backend_->event(0, false);
  const auto join = backend_->event(0, false);
  const auto before = backend_->counters().at("route.fallback");
  auto capture = backend_->capture(*stream_, hipStreamCaptureModeRelaxed);
  fork->record(*stream_);
  fork->make_wait(*joined);
  one.enqueue();
  EXPECT_THROW(backend_->device(0).workspaces().acquire(joined->get(), 1024), Error);
  two.enqueue();
  join->record(*joined);
  join->make_wait(*stream_);
  const auto graph = capture->end();
  EXPECT_EQ(backend_->counters().at("route.fallback"), before + 1);
  IntegerGemm own(*backend_, *joined, kShape, 1, 3);
  for (int round = 0; round < 20; ++round) {
    for (IntegerGemm* gemm : {&one, &two, &own}) gemm->poison();
    ASSERT_EQ(provider_.table->hipDeviceSynchronize(), hipSuccess);
    graph->launch(*stream_);
    own.enqueue();
    ASSERT_EQ(provider_.table->hipDeviceSynchronize(), hipSuccess);
    for (IntegerGemm* gemm : {&one, &two, &own}) EXPECT_EQ(gemm->wrong(), 0);
  }
  backend_->clear_streams();
  one.poison();
  graph->launch(*stream_);
  EXPECT_EQ(one.wrong(), 0);
}

// The graph that came of it would use this one's workspace, and not keep it.
TEST_F(GraphFixed, AGraphWithAWorkspaceIsNotLaunchedIntoACapture) {
  Captured with(*backend_, *stream_, kShape, 3);
  Captured without(*backend_, *stream_, kSingle, 4);
  const auto other = backend_->stream(0);
  const auto capture = backend_->capture(*other, hipStreamCaptureModeThreadLocal);
  EXPECT_THROW(with.graph->launch(*other), Error);
  without.graph->launch(*other);
  const auto outer = capture->end();
  without.graph.reset();
  outer->launch(*other);
  other->synchronize();
  EXPECT_EQ(without.gemm.wrong(), 0);
  with.graph->launch(*other);
  other->synchronize();
  EXPECT_EQ(with.gemm.wrong(), 0);
}

TEST_F(GraphFixed, AGraphOutlivesItsStream) {
  const auto other = backend_->stream(0);
  IntegerGemm gemm(*backend_, *other, kShape, 1, 4);
  other->synchronize();  // its operands are written there, and read on a stream that waits for none
  std::unique_ptr<backend::Graph> graph;
  {
    const auto stream = backend_->stream(0);
    gemm.enqueue_on(*stream);
    stream->synchronize();
    const auto capture = backend_->capture(*stream, hipStreamCaptureModeGlobal);
    gemm.enqueue_on(*stream);
    graph = capture->end();
  }
  const auto later = backend_->stream(0);
  IntegerGemm direct(*backend_, *later, kShape, 1, 5);
  direct.enqueue();
  EXPECT_EQ(direct.wrong(), 0);
  for (int round = 0; round < 20; ++round) {
    gemm.poison();
    direct.poison();
    other->synchronize();
    later->synchronize();
    {
      test::Hold one(other->get());
      test::Hold two(later->get());
      graph->launch(*other);
      direct.enqueue();
    }
    EXPECT_EQ(gemm.wrong(), 0);
    EXPECT_EQ(direct.wrong(), 0);
  }
}

TEST_F(GraphFixed, AGraphThatNeedsNoWorkspacePinsNone) {
  Captured first(*backend_, *stream_, kShape, 1);  // so the stream has one
  const auto before = backend_->counters().at("handles.workspaces");
  Captured second(*backend_, *stream_, kSingle, 2);
  const auto between = backend_->counters().at("handles.workspaces");
  EXPECT_LE(between, before + 1);
  Captured third(*backend_, *stream_, kSingle, 3);
  Captured fourth(*backend_, *stream_, kShape, 3);
  EXPECT_EQ(backend_->counters().at("handles.workspaces"), between) << "the spare one is used";
}

TEST_F(GraphFixed, ARunningGraphCanBeDestroyed) {
  const auto before = driver::live_objects();
  {
    Captured captured(*backend_, *stream_, kShape, 1);
    Runaway kernel(*stream_);
    captured.graph->launch(*stream_);
    auto destroyed = std::async(std::launch::async, [&] { captured.graph = nullptr; });
    EXPECT_EQ(destroyed.wait_for(kAWhile), std::future_status::timeout)
        << "it waits for its workspace, which is in use";
    kernel.let_go();
    destroyed.get();
    EXPECT_EQ(captured.gemm.wrong(), 0);
    EXPECT_EQ(driver::live_objects().at("memory_blocks"), before.at("memory_blocks") + 4)
        << "operands, result and the stream's workspace";
  }
}

TEST_F(GraphFixed, EightThreadsCaptureAndReplay) {
  on_threads(8, [&](int t) {
    const auto stream = backend_->stream(0);
    Captured captured(*backend_, *stream, kShape, 100u + static_cast<unsigned>(t));
    for (int replay = 0; replay < 5; ++replay) {
      captured.gemm.poison();
      captured.graph->launch(*stream);
      EXPECT_EQ(captured.gemm.wrong(), 0);
    }
  });
}

}  // namespace
}  // namespace hiplab::lab
