// What the stream tracker does to graph captures (MIOpen 12265): an abandoned evaluation, then a
// capture, in every mode, on the own thread and on another one.
#include "tracker_tools.h"

namespace hiplab::lab {
namespace {

// FIXED launches poll nothing; a form that polls is refused as the capture's mode says.
struct Case {
  Form form;
  hipStreamCaptureMode mode;
};

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  static constexpr const char* kModes[] = {"Global", "ThreadLocal", "Relaxed"};
  return std::string(forms::form_name(info.param.form)) + "_" + kModes[info.param.mode];
}

constexpr GemmShape kShape{ElementType::bf16, false, true, 64, 64, 64, 1};

class TrackerCapture : public ::testing::TestWithParam<Case> {
 protected:
  bool polls() const {
    return GetParam().form == Form::filed || GetParam().form == Form::skip_capturing;
  }
  bool global() const { return GetParam().mode == hipStreamCaptureModeGlobal; }
  bool relaxed() const { return GetParam().mode == hipStreamCaptureModeRelaxed; }

  // An evaluation that has overrun its time.
  std::unique_ptr<Runaway> abandon() {
    StreamTracker& tracker = backend_->tracker(0);
    CommandStream& stream = tracker.acquire();
    auto kernel = std::make_unique<Runaway>(stream);
    auto done = backend_->event(0, false);
    done->record(stream);
    tracker.abandon(stream, scratch(tracked_host(), log_, "free"), std::move(done));
    return kernel;
  }
  // What ending the capture returned. The graph is kept: freeing its workspace waits for the
  // device, and so for a kernel that is still running.
  int status_of_end(backend::Capture& capture) {
    try {
      graphs_.push_back(capture.end());
      return hipSuccess;
    } catch (const Error& error) {
      return error.call().status;
    }
  }
  void launch(IntegerGemm& gemm) {
    try {
      gemm.enqueue();
    } catch (const Error&) {  // the stream's capture is invalid: the launch is refused as well
    }
  }

  Log log_;
  const std::unique_ptr<Backend> backend_ =
      open_with(tracked_host(), "stream-tracker", GetParam().form);
  const std::unique_ptr<CommandStream> stream_ = backend_->stream(0);
  std::vector<std::unique_ptr<backend::Graph>> graphs_;
};

TEST_P(TrackerCapture, TheLaunchingThreadCaptures) {
  IntegerGemm gemm(*backend_, *stream_, kShape, 1, 1);
  gemm.enqueue();
  ASSERT_EQ(gemm.wrong(), 0);
  const auto kernel = abandon();
  const auto capture = backend_->capture(*stream_, GetParam().mode);
  launch(gemm);
  // As filed, in Global and ThreadLocal mode; the form that skips sees its own stream capture.
  const bool dies = GetParam().form == Form::filed && !relaxed();
  EXPECT_EQ(capture->status(),
            dies ? hipStreamCaptureStatusInvalidated : hipStreamCaptureStatusActive);
  EXPECT_EQ(status_of_end(*capture), dies ? hipErrorStreamCaptureInvalidated : hipSuccess);
  kernel->let_go();
}

TEST_P(TrackerCapture, AnotherThreadCaptures) {
  IntegerGemm gemm(*backend_, *stream_, kShape, 1, 1);
  const auto other = backend_->stream(0);
  gemm.enqueue();
  ASSERT_EQ(gemm.wrong(), 0);
  const auto kernel = abandon();
  std::promise<void> launched;
  std::promise<void> begun;
  auto ended = std::async(std::launch::async, [&] {
    const auto capture = backend_->capture(*other, GetParam().mode);
    begun.set_value();
    launched.get_future().wait();
    return status_of_end(*capture);
  });
  begun.get_future().wait();
  launch(gemm);
  launched.set_value();
  EXPECT_EQ(ended.get(), polls() && global() ? hipErrorStreamCaptureInvalidated : hipSuccess);
  EXPECT_EQ(gemm.wrong(), 0);
  kernel->let_go();
}

// The abandoned kernel ends and its scratch is freed while an unrelated capture is open.
TEST_P(TrackerCapture, ScratchIsFreedDuringAnUnrelatedCapture) {
  IntegerGemm gemm(*backend_, *stream_, kShape, 1, 1);
  const auto other = backend_->stream(0);
  gemm.enqueue();
  ASSERT_EQ(gemm.wrong(), 0);
  const auto kernel = abandon();
  const auto capture = backend_->capture(*other, GetParam().mode);
  auto launches = std::async(std::launch::async, [&] {
    kernel->let_go();
    if (GetParam().form == Form::fixed) {
      EXPECT_TRUE(log_.wait_for("free"));
      EXPECT_TRUE(eventually([&] { return backend_->tracker(0).state().pinned_bytes == 0; }));
    }
    launch(gemm);
  });
  launches.get();
  EXPECT_EQ(status_of_end(*capture),
            polls() && global() ? hipErrorStreamCaptureInvalidated : hipSuccess);
}

std::vector<Case> cases(std::initializer_list<Form> forms) {
  std::vector<Case> all;
  for (const Form form : forms) {
    for (const auto mode : {hipStreamCaptureModeGlobal, hipStreamCaptureModeThreadLocal,
                            hipStreamCaptureModeRelaxed}) {
      all.push_back({form, mode});
    }
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Fixed, TrackerCapture, ::testing::ValuesIn(cases({Form::fixed})),
                         case_name);
INSTANTIATE_TEST_SUITE_P(
    Filed, TrackerCapture,
    ::testing::ValuesIn(cases({Form::filed, Form::skip_capturing, Form::relaxed_poll})), case_name);

// A stream of the tracker that is itself part of a capture.
class TrackerCapturingFixed : public TrackerTest {
 protected:
  static std::string told(const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  void expect_refused(CommandStream& stream, const Scratch& scratch) {
    EXPECT_NE(told([&] { tracker_->release(stream); }).find("released while it captures"),
              std::string::npos);
    EXPECT_NE(told([&] { tracker_->abandon(stream, Scratch{scratch}, nullptr); })
                  .find("abandoned while it captures or is part of another stream's capture: end "
                        "the capture first"),
              std::string::npos);
    EXPECT_EQ(tracker_->state().acquired, 1);
  }

  const std::unique_ptr<StreamTracker> tracker_ = tracker(Form::fixed, 2);
  const std::unique_ptr<CommandStream> other_ = backend_->stream(0);
};

TEST_F(TrackerCapturingFixed, AnOwnCaptureMustBeEndedFirst) {
  CommandStream& stream = tracker_->acquire();
  const auto capture = backend_->capture(stream, hipStreamCaptureModeGlobal);
  expect_refused(stream, own_scratch(log_, "free"));
  EXPECT_EQ(capture->status(), hipStreamCaptureStatusActive);
  const auto graph = capture->end();
  tracker_->release(stream);
  EXPECT_EQ(&tracker_->acquire(), &stream);
}

TEST_F(TrackerCapturingFixed, ACaptureThatItHasJoinedMustBeEndedFirst) {
  CommandStream& stream = tracker_->acquire();
  const auto capture = backend_->capture(*other_, hipStreamCaptureModeGlobal);
  recorded(*other_)->make_wait(stream);
  expect_refused(stream, own_scratch(log_, "free"));
  EXPECT_EQ(capture->status(), hipStreamCaptureStatusActive);
  recorded(stream)->make_wait(*other_);
  const auto graph = capture->end();
  tracker_->abandon(stream, own_scratch(log_, "abandoned"), recorded(stream));
  EXPECT_TRUE(log_.wait_for("abandoned"));
}

// Drawn in by another thread while it was being abandoned.
TEST_F(TrackerCapturingFixed, ACapturedDoneEventDoesNotStopEvaluations) {
  CommandStream& stream = tracker_->acquire();
  Runaway kernel(stream);
  const auto capture = backend_->capture(*other_, hipStreamCaptureModeRelaxed);
  tracker_->abandon(stream, own_scratch(log_, "free"), recorded(*other_));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(told([&] { tracker_->release(tracker_->acquire()); }), "no error");
  }
  EXPECT_EQ(tracker_->state().draining, 1) << "its kernel still runs";
  kernel.let_go();
  EXPECT_TRUE(log_.wait_for("free"));
}

TEST_F(TrackerCapturingFixed, AnAbandonedStreamIsNotAskedInACapture) {
  CommandStream& stream = tracker_->acquire();
  Runaway kernel(stream);
  tracker_->abandon(stream, own_scratch(log_, "free"), nullptr);
  const auto capture = backend_->capture(*other_, hipStreamCaptureModeGlobal);
  recorded(*other_)->make_wait(stream);
  EXPECT_EQ(told([&] { tracker_->release(tracker_->acquire()); }), "no error");
  EXPECT_EQ(capture->status(), hipStreamCaptureStatusActive);
  EXPECT_EQ(tracker_->state().draining, 1);
  kernel.let_go();
  EXPECT_TRUE(log_.wait_for("free"));
}

// reclaim.replay-only: tune, capture, and from then on only replay. Nothing launches any more, so
// what is reclaimed by launches stays pinned.
class TrackerReplay : public ::testing::TestWithParam<Form> {};

TEST_P(TrackerReplay, OnlyReplays) {
  Log log;
  const auto backend = open_with(tracked_host(), "stream-tracker", GetParam());
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, kShape, 1, 1);
  gemm.enqueue();
  ASSERT_EQ(gemm.wrong(), 0);
  StreamTracker& tracker = backend->tracker(0);
  CommandStream& tuning = tracker.acquire();
  Runaway kernel(tuning);
  auto done = backend->event(0, false);
  done->record(tuning);
  tracker.abandon(tuning, scratch(tracked_host(), log, "free"), std::move(done));
  const auto capture = backend->capture(*stream, hipStreamCaptureModeGlobal);
  gemm.enqueue();
  const auto graph = capture->end();
  kernel.let_go();
  tuning.synchronize();
  const bool fixed = GetParam() == Form::fixed;
  if (fixed) {
    EXPECT_TRUE(log.wait_for("free"));
  }
  for (int replay = 0; replay < 20; ++replay) {
    gemm.poison();
    graph->launch(*stream);
    EXPECT_EQ(gemm.wrong(), 0);
  }
  if (fixed) {
    EXPECT_TRUE(eventually([&] { return tracker.state().pinned_bytes == 0; }));
  }
  EXPECT_EQ(tracker.state().pinned_bytes, fixed ? 0 : 4096);
  EXPECT_EQ(log.count("free"), fixed ? 1 : 0);
}

INSTANTIATE_TEST_SUITE_P(Fixed, TrackerReplay, ::testing::Values(Form::fixed), form_name);
INSTANTIATE_TEST_SUITE_P(Filed, TrackerReplay, ::testing::Values(Form::relaxed_poll), form_name);

}  // namespace
}  // namespace hiplab::lab
