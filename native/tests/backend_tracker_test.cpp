// The stream tracker: slots, backlog, tickets, callbacks and the worker (MIOpen 12265). What
// captures see of it: backend_tracker_capture_test.cpp.
#include <map>

#include "backend/timed_evaluation.h"
#include "tracker_tools.h"

namespace hiplab::lab {
namespace {

using backend::CallbackTracker;
using backend::TrackerState;

class TrackerFixed : public TrackerTest {};

// reclaim.backlog-cap: GPU_MAX_HW_QUEUES less 2, at least 1; what is no such number counts as 4.
TEST_F(TrackerFixed, BacklogCaps) {
  EXPECT_EQ(backend::max_draining_for(nullptr), 2);
  const std::map<std::string, int> table{
      {"", 2},  {"four", 2}, {"4 queues", 2}, {"4.5", 2}, {"99999999999", 2},
      {"0", 2}, {"-1", 2},   {"-2000000", 2}, {"1", 1},   {"2", 1},
      {"3", 1}, {"4", 2},    {"5", 3},        {"8", 6},   {"32", 30},
  };
  for (const auto& [value, cap] : table) {
    EXPECT_EQ(backend::max_draining_for(value.c_str()), cap) << "'" << value << "'";
  }
  EXPECT_THROW(CallbackTracker({*provider_, counters_}, backend_->device(0), 0), Error);
}

// The suites here make their trackers themselves.
TEST_F(TrackerFixed, ABackendHasTheTrackerThatWasChosen) {
  const auto made = [&](Form form) -> const std::type_info& {
    const auto backend = open_with(tracked_host(), "stream-tracker", form);
    const StreamTracker& tracker = backend->tracker(0);
    return typeid(tracker);
  };
  EXPECT_EQ(made(Form::fixed), typeid(backend::CallbackTracker));
  EXPECT_EQ(made(Form::filed), typeid(forms::PollingTracker));
  EXPECT_EQ(made(Form::skip_capturing), typeid(forms::SkipCapturingTracker));
  EXPECT_EQ(made(Form::relaxed_poll), typeid(forms::RelaxedPollTracker));
  EXPECT_EQ(made(Form::no_tickets), typeid(forms::UnticketedTracker));
}

TEST_F(TrackerFixed, AReleasedStreamIsUsedAgain) {
  const auto tracker = this->tracker(Form::fixed, 2);
  CommandStream& first = tracker->acquire();
  CommandStream& second = tracker->acquire();
  EXPECT_NE(&first, &second);
  tracker->release(first);
  EXPECT_EQ(&tracker->acquire(), &first);
  const TrackerState state = tracker->state();
  EXPECT_EQ(state.owned, 2);
  EXPECT_EQ(state.acquired, 2);
}

TEST_F(TrackerFixed, OnlyWhatWasAcquiredIsReleasedOrAbandoned) {
  const auto tracker = this->tracker(Form::fixed, 2);
  const auto foreign = backend_->stream(0);
  EXPECT_THROW(tracker->release(*foreign), Error);
  CommandStream& stream = tracker->acquire();
  tracker->release(stream);
  EXPECT_THROW(tracker->release(stream), Error);
  EXPECT_THROW(tracker->abandon(stream, {}, nullptr), Error);
  EXPECT_EQ(tracker->state().pooled, 1);
}

// Scratch is freed once its kernel retires, with no further call. By polling it stays.
class TrackerForms : public TrackerTest, public ::testing::WithParamInterface<Form> {};

TEST_P(TrackerForms, ScratchIsFreedWithNoFurtherCall) {
  const auto tracker = this->tracker(GetParam(), 2);
  CommandStream& stream = tracker->acquire();
  Runaway kernel(stream);
  tracker->abandon(stream, scratch(*provider_, log_, "free"), recorded(stream));
  EXPECT_EQ(tracker->state().pinned_bytes, 4096);
  EXPECT_EQ(tracker->state().draining, 1);
  kernel.let_go();
  stream.synchronize();
  const bool freed =
      log_.wait_for("free", 1, GetParam() == Form::fixed ? std::chrono::seconds(60) : kAWhile);
  EXPECT_EQ(freed, GetParam() == Form::fixed);
  if (!freed) return;
  EXPECT_TRUE(eventually([&] { return tracker->state().pinned_bytes == 0; }));
  EXPECT_EQ(tracker->state().pooled, 1);
}

// reclaim.dealloc-outside-lock: a launch while a runaway kernel drains and another abandonment has
// ended. hipFree waits for the runaway: as filed on the launch path, under the tracker's lock.
TEST_P(TrackerForms, ALaunchWhileScratchIsFreed) {
  const auto tracker = this->tracker(GetParam(), 3);
  const auto launching = backend_->stream(0);
  CommandStream& runaway = tracker->acquire();
  Runaway kernel(runaway);
  tracker->abandon(runaway, {}, recorded(runaway));
  CommandStream& ended = tracker->acquire();
  tracker->abandon(ended, scratch(*provider_, log_, "free"), recorded(ended));
  ended.synchronize();
  const bool fixed = GetParam() == Form::fixed;
  if (fixed) {
    ASSERT_TRUE(log_.wait_for("free")) << "on the worker's thread, which now waits for the runaway";
  }
  std::thread::id launcher;
  auto launch = std::async(std::launch::async, [&] {
    launcher = std::this_thread::get_id();
    tracker->on_launch(launching->get());
    log_.add("launched");
  });
  if (fixed) {
    launch.get();  // although the kernel runs: else this test does not end
    EXPECT_TRUE(kernel.running());
  }
  ASSERT_TRUE(log_.wait_for("free"));
  // Whether the lock is free while the deallocator waits.
  auto state = std::async(std::launch::async, [&] { return tracker->state(); });
  EXPECT_EQ(state.wait_for(fixed ? std::chrono::seconds(60) : kAWhile) == std::future_status::ready,
            fixed);
  EXPECT_EQ(log_.count("launched"), fixed ? 1 : 0);
  kernel.let_go();
  if (!fixed) launch.get();
  state.get();
  EXPECT_EQ(log_.thread_of("free") == launcher, !fixed);
}

// reclaim.sticky-error: the tests of abandoned work answer with an error that stays.
std::atomic<bool> g_lost{false};  // read on the tracker's own thread
hipError_t lost_stream_query(hipStream_t stream) {
  return g_lost ? hipErrorIllegalAddress : tracked_host().table->hipStreamQuery(stream);
}
hipError_t lost_event_query(hipEvent_t event) {
  return g_lost ? hipErrorIllegalAddress : tracked_host().table->hipEventQuery(event);
}

TEST_P(TrackerForms, AcquireOnALostDevice) {
  Patched patched(tracked_host());
  patched.table.hipStreamQuery = lost_stream_query;
  patched.table.hipEventQuery = lost_event_query;
  provider_ = &patched.provider;
  backend_ = open(patched.provider, Form::fixed);
  for (const bool with_event : {true, false}) {
    const auto tracker = this->tracker(GetParam(), 1);
    CommandStream& stream = tracker->acquire();
    Runaway kernel(stream);
    tracker->abandon(stream, scratch(*provider_, log_, "free"),
                     with_event ? recorded(stream) : nullptr);
    g_lost = true;
    auto acquired = std::async(std::launch::async, [&] { tracker->acquire(); });
    if (GetParam() == Form::fixed) {
      std::string message;
      try {
        acquired.get();
      } catch (const Error& error) {
        message = error.what();
      }
      EXPECT_NE(message.find("hipErrorIllegalAddress (700)"), std::string::npos) << message;
      EXPECT_NE(message.find(with_event ? "hipEventQuery" : "hipStreamQuery"), std::string::npos);
      EXPECT_EQ(tracker->state().draining, 1) << "an error does not prove that the kernel stopped";
      EXPECT_EQ(log_.count("free"), with_event ? 0 : 1);
    } else {
      EXPECT_EQ(acquired.wait_for(kAWhile), std::future_status::timeout) << "waits for ever";
    }
    g_lost = false;  // so that the test ends
    kernel.let_go();
    if (GetParam() != Form::fixed) acquired.get();
  }
  backend_ = nullptr;
}

HIPLAB_BOTH_FORMS(TrackerForms);

// reclaim.late-ticket: the callback of a first abandonment comes after its done event has returned
// the stream and a second evaluation has been abandoned on it. The deallocator waits for nothing:
// hipFree would keep the worker until the second kernel has ended.
class TrackerTickets : public TrackerTest, public ::testing::WithParamInterface<Form> {};

TEST_P(TrackerTickets, ALateCallbackAndALaterReuseOfItsStream) {
  const auto tracker = this->tracker(GetParam(), 3);
  const auto blocking = backend_->stream(0);
  BlockedCallbacks blocked(*blocking);
  CommandStream& stream = tracker->acquire();
  auto done = recorded(stream);
  const Event& first_done = *done;
  ASSERT_TRUE(eventually([&] { return first_done.done(); }));
  tracker->abandon(stream, own_scratch(log_, "free first"), std::move(done));
  ASSERT_EQ(&tracker->acquire(), &stream) << "reclaimed through the done event";
  ASSERT_TRUE(log_.wait_for("free first"));
  Runaway kernel(stream);
  tracker->abandon(stream, own_scratch(log_, "free second"), recorded(stream));
  // Its callback runs after the late one: once its scratch is freed, the late ticket is dealt with.
  CommandStream& other = tracker->acquire();
  ASSERT_NE(&other, &stream);
  tracker->abandon(other, own_scratch(log_, "free other"), nullptr);
  int tickets = 0;
  {
    std::mutex mutex;
    const sync::ListenToPoints listener([&](const std::string& name, std::thread::id) {
      const std::lock_guard lock(mutex);
      tickets += name == "tracker.worker.ticket";
    });
    blocked.unblock();
    ASSERT_TRUE(eventually([&] {
      const std::lock_guard lock(mutex);
      return tickets >= 2 && tracker->state().draining < 2;
    }));
  }
  const bool fixed = GetParam() == Form::fixed;
  EXPECT_EQ(tracker->state().draining, fixed ? 1 : 0) << "the runaway kernel is still running";
  if (!fixed) {
    EXPECT_TRUE(log_.wait_for("free second")) << "as if its kernel had ended";
  }
  EXPECT_EQ(log_.count("free second"), fixed ? 0 : 1);
  kernel.let_go();
}

INSTANTIATE_TEST_SUITE_P(Fixed, TrackerTickets, ::testing::Values(Form::fixed), form_name);
INSTANTIATE_TEST_SUITE_P(Filed, TrackerTickets, ::testing::Values(Form::no_tickets), form_name);

// reclaim.blocked-callback: the done event returns the slot at the next acquire; until then the
// scratch stays pinned.
TEST_F(TrackerFixed, ABlockedCallbackDelaysRelease) {
  const auto tracker = this->tracker(Form::fixed, 1);
  const auto blocking = backend_->stream(0);
  BlockedCallbacks blocked(*blocking);
  CommandStream& stream = tracker->acquire();
  auto done = recorded(stream);
  ASSERT_TRUE(eventually([&] { return done->done(); }));
  tracker->abandon(stream, scratch(*provider_, log_, "free"), std::move(done));
  EXPECT_FALSE(log_.wait_for("free", 1, kAWhile));
  EXPECT_EQ(tracker->state().pinned_bytes, 4096);
  EXPECT_EQ(&tracker->acquire(), &stream);
  EXPECT_TRUE(log_.wait_for("free"));
  EXPECT_NE(log_.thread_of("free"), std::this_thread::get_id()) << "acquire runs no deallocator";
  tracker->release(stream);
  blocked.unblock();
}

// A done event of a first abandonment must not read as the end of a second.
TEST_F(TrackerFixed, AReusedSlotIsClean) {
  const auto tracker = this->tracker(Form::fixed, 1);
  const auto blocking = backend_->stream(0);
  BlockedCallbacks blocked(*blocking);
  CommandStream& stream = tracker->acquire();
  auto done = recorded(stream);
  ASSERT_TRUE(eventually([&] { return done->done(); }));
  tracker->abandon(stream, {}, std::move(done));
  ASSERT_EQ(&tracker->acquire(), &stream);
  Runaway kernel(stream);
  tracker->abandon(stream, {}, backend_->event(0, false));  // one that was not recorded is none
  auto next = std::async(std::launch::async, [&] { return &tracker->acquire(); });
  EXPECT_EQ(next.wait_for(kAWhile), std::future_status::timeout) << "the cap is 1, one is draining";
  kernel.let_go();
  blocked.unblock();
  EXPECT_EQ(next.get(), &stream);
}

// At a cap of 1 each evaluation waits for the one before it, through the callback, or through the
// done event where callbacks are held.
TEST_F(TrackerFixed, ACapOfOneGoesOn) {
  for (const bool callbacks_held : {false, true}) {
    const auto tracker = this->tracker(Form::fixed, 1);
    const auto blocking = backend_->stream(0);
    std::unique_ptr<BlockedCallbacks> blocked;
    if (callbacks_held) blocked = std::make_unique<BlockedCallbacks>(*blocking);
    for (int i = 0; i < 4; ++i) {
      CommandStream& stream = tracker->acquire();
      EXPECT_EQ(tracker->state().draining, 0);
      // Behind a late callback of its own stream the next kernel cannot begin.
      if (callbacks_held && i > 0) {
        tracker->release(stream);
        continue;
      }
      Runaway kernel(stream);
      tracker->abandon(stream, scratch(*provider_, log_, "free"), recorded(stream));
      auto next = std::async(std::launch::async, [&] { return &tracker->acquire(); });
      EXPECT_EQ(next.wait_for(std::chrono::milliseconds(15)), std::future_status::timeout);
      kernel.let_go();
      tracker->release(*next.get());
    }
    blocked = nullptr;
  }
  EXPECT_TRUE(log_.wait_for("free", 5));
}

// A callback that cannot be queued.
hipError_t no_callbacks(hipStream_t, hipHostFn_t, void*) { return hipErrorOutOfMemory; }

TEST_F(TrackerFixed, ACallbackThatCannotBeQueued) {
  Patched patched(tracked_host());
  patched.table.hipLaunchHostFunc = no_callbacks;
  provider_ = &patched.provider;
  const auto tracker = this->tracker(Form::fixed, 1);
  CommandStream& stream = tracker->acquire();
  {
    Runaway kernel(stream);
    ::testing::internal::CaptureStderr();
    tracker->abandon(stream, scratch(*provider_, log_, "free"), recorded(stream));
    EXPECT_NE(::testing::internal::GetCapturedStderr().find("hipErrorOutOfMemory (2)"),
              std::string::npos);
    auto next = std::async(std::launch::async, [&] { return &tracker->acquire(); });
    EXPECT_EQ(next.wait_for(kAWhile), std::future_status::timeout);
    kernel.let_go();
    EXPECT_EQ(next.get(), &stream) << "through the done event";
  }
  EXPECT_TRUE(log_.wait_for("free"));
  tracker->abandon(stream, scratch(*provider_, log_, "free at the end"), nullptr);
}

TEST_F(TrackerFixed, ScratchOfTwoAbandonmentsIsFreedOnce) {
  const auto tracker = this->tracker(Form::fixed, 2);
  CommandStream& one = tracker->acquire();
  CommandStream& two = tracker->acquire();
  Runaway first(one);
  Runaway second(two);
  {
    const Scratch shared = scratch(*provider_, log_, "free");
    tracker->abandon(one, Scratch{shared}, recorded(one));
    tracker->abandon(two, Scratch{shared}, recorded(two));
  }
  first.let_go();
  ASSERT_TRUE(eventually([&] { return tracker->state().draining == 1; }));
  EXPECT_EQ(log_.count("free"), 0) << "the other kernel uses it";
  second.let_go();
  EXPECT_TRUE(log_.wait_for("free"));
  EXPECT_TRUE(eventually([&] { return tracker->state().pinned_bytes == 0; }));
}

TEST_F(TrackerFixed, TheDestructorLetsEverythingEnd) {
  const auto before = driver::live_objects();
  std::vector<std::unique_ptr<Runaway>> kernels;
  std::thread opener;
  {
    const auto tracker = this->tracker(Form::fixed, 8);
    for (int i = 0; i < 4; ++i) {
      CommandStream& stream = tracker->acquire();
      kernels.push_back(std::make_unique<Runaway>(stream));
      tracker->abandon(stream, scratch(*provider_, log_, "free"), recorded(stream));
    }
    opener = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      for (auto& kernel : kernels) kernel->let_go();
    });
  }
  opener.join();
  EXPECT_EQ(log_.count("free"), 4);
  backend_ = nullptr;
  const auto after = driver::live_objects();
  for (const char* kind : {"streams", "events", "memory_blocks"}) {
    EXPECT_LE(after.at(kind), before.at(kind)) << kind;
  }
}

// fault.sticky: waits fail at once and no callback ever runs.
hipError_t lost_synchronize(hipStream_t stream) {
  return g_lost ? hipErrorIllegalAddress : tracked_host().table->hipStreamSynchronize(stream);
}
hipError_t lost_callback(hipStream_t, hipHostFn_t, void*) { return hipSuccess; }

TEST_F(TrackerFixed, TheDestructorEndsOnALostDevice) {
  Patched patched(tracked_host());
  patched.table.hipLaunchHostFunc = lost_callback;
  patched.table.hipStreamSynchronize = lost_synchronize;
  provider_ = &patched.provider;
  auto tracker = this->tracker(Form::fixed, 2);
  CommandStream& stream = tracker->acquire();
  static Log log;  // the scratch outlives the test
  void* raw = nullptr;
  ASSERT_EQ(tracked_host().table->hipMalloc(&raw, 4096), hipSuccess);
  Runaway kernel(stream);
  tracker->abandon(stream, {std::shared_ptr<void>(raw, [](void*) { log.add("free"); }), 4096},
                   recorded(stream));
  g_lost = true;
  ::testing::internal::CaptureStderr();
  tracker = nullptr;  // ends
  const std::string told = ::testing::internal::GetCapturedStderr();
  g_lost = false;
  EXPECT_NE(told.find("4096 bytes of scratch of a lost device 0 are not freed"), std::string::npos)
      << told;
  EXPECT_EQ(log.count("free"), 0) << "the kernel may still write there";
  kernel.let_go();
  EXPECT_EQ(tracked_host().table->hipFree(raw), hipSuccess);
}

TEST_F(TrackerFixed, ManyThreadsEvaluateAndAbandon) {
  constexpr int kRounds = 12;
  const auto tracker = this->tracker(Form::fixed, 2);
  std::atomic<int> abandoned{0};
  on_threads(8, [&](int t) {
    for (int round = 0; round < kRounds; ++round) {
      CommandStream& stream = tracker->acquire();
      auto memory = scratch(*provider_, log_, "free");
      EXPECT_EQ(
          tracked_host().table->hipMemsetAsync(memory.memory.get(), t, memory.bytes, stream.get()),
          hipSuccess);
      tracker->on_launch(stream.get());
      if ((t + round) % 3 == 0) {
        stream.synchronize();
        tracker->release(stream);
      } else {
        ++abandoned;
        tracker->abandon(stream, std::move(memory), round % 2 == 0 ? recorded(stream) : nullptr);
      }
    }
  });
  ASSERT_TRUE(log_.wait_for("free", 8 * kRounds));
  EXPECT_TRUE(eventually([&] { return tracker->state().pooled == tracker->state().owned; }));
  EXPECT_TRUE(eventually([&] { return tracker->state().pinned_bytes == 0; }));
  EXPECT_EQ(log_.count("free"), 8 * kRounds);
  EXPECT_GT(abandoned, 0);
  EXPECT_LE(tracker->state().owned, 8 + 2);
}

// ---- Time-bounded evaluation -------------------------------------------------------------------

TEST_F(TrackerFixed, AnEvaluationInTime) {
  const auto result = backend::evaluate_within(
      *backend_, 0, std::chrono::seconds(60), scratch(*provider_, log_, "free"),
      [&](const CommandStream& stream) {
        IntegerGemm gemm(*backend_, stream, {ElementType::bf16, false, true, 64, 64, 64, 1}, 1, 7);
        gemm.enqueue();
        EXPECT_EQ(gemm.wrong(), 0);
      });
  EXPECT_TRUE(result.in_time);
  EXPECT_GT(result.millis, 0.0f);
  EXPECT_EQ(log_.count("free"), 1);
  EXPECT_EQ(backend_->tracker(0).state().pooled, 1);
}

TEST_F(TrackerFixed, AnEvaluationThatOverrunsIsAbandoned) {
  std::unique_ptr<Runaway> kernel;
  const auto result = backend::evaluate_within(
      *backend_, 0, std::chrono::milliseconds(5), scratch(*provider_, log_, "free"),
      [&](const CommandStream& stream) { kernel = std::make_unique<Runaway>(stream); });
  EXPECT_FALSE(result.in_time);
  EXPECT_EQ(backend_->tracker(0).state().draining, 1);
  EXPECT_EQ(log_.count("free"), 0);
  kernel->let_go();
  EXPECT_TRUE(log_.wait_for("free"));
}

TEST_F(TrackerFixed, AnEvaluationThatThrowsIsAbandoned) {
  std::unique_ptr<Runaway> kernel;
  EXPECT_THROW(static_cast<void>(backend::evaluate_within(
                   *backend_, 0, std::chrono::seconds(60), scratch(*provider_, log_, "free"),
                   [&](const CommandStream& stream) {
                     kernel = std::make_unique<Runaway>(stream);
                     throw Error("the second kernel cannot be launched");
                   })),
               Error);
  EXPECT_EQ(backend_->tracker(0).state().draining, 1);
  EXPECT_EQ(log_.count("free"), 0) << "the first kernel is running";
  kernel->let_go();
  EXPECT_TRUE(log_.wait_for("free"));
}

}  // namespace
}  // namespace hiplab::lab
