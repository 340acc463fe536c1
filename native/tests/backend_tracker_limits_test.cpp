// What tuning in bounded time needs of the stream tracker: a wait with a limit, and memory that is
// freed elsewhere (MIOpen 12265).
#include "tracker_tools.h"

namespace hiplab::lab {
namespace {

class TrackerLimits : public TrackerTest, public ::testing::WithParamInterface<Form> {};

// At the cap each form gives up in time, and the stream that comes free later is another's.
TEST_P(TrackerLimits, AcquireGivesUp) {
  const auto tracker = this->tracker(GetParam(), 1);
  CommandStream& stream = tracker->acquire();
  Runaway kernel(stream);
  tracker->abandon(stream, {}, recorded(stream));
  EXPECT_EQ(tracker->acquire_within(kAWhile), nullptr);
  EXPECT_EQ(tracker->acquire_within(std::chrono::nanoseconds(0)), nullptr);
  EXPECT_EQ(tracker->acquire_within(std::chrono::nanoseconds(-1)), nullptr);
  EXPECT_EQ(tracker->state().acquired, 0);
  kernel.let_go();
  stream.synchronize();
  CommandStream* const next = tracker->acquire_within(std::chrono::nanoseconds::max());
  EXPECT_EQ(next, &stream) << "a limit beyond the clock's is none";
  tracker->release(*next);
  EXPECT_EQ(tracker->acquire_within(std::chrono::nanoseconds(0)), &stream) << "nothing to wait for";
  tracker->release(stream);
}

INSTANTIATE_TEST_SUITE_P(Fixed, TrackerLimits, ::testing::Values(Form::fixed), form_name);
INSTANTIATE_TEST_SUITE_P(Filed, TrackerLimits,
                         ::testing::Values(Form::filed, Form::skip_capturing, Form::relaxed_poll,
                                           Form::no_tickets),
                         form_name);

// Discarded memory is freed by the worker, which waits for a runaway in the caller's place; the
// form without a worker makes the caller wait.
class TrackerDiscard : public TrackerTest, public ::testing::WithParamInterface<Form> {};

TEST_P(TrackerDiscard, TheCallerDoesNotWait) {
  const auto tracker = this->tracker(GetParam(), 2);
  CommandStream& stream = tracker->acquire();
  Runaway kernel(stream);
  tracker->abandon(stream, {}, recorded(stream));
  std::thread::id discarding;
  auto discarded = std::async(std::launch::async, [&] {
    discarding = std::this_thread::get_id();
    tracker->discard(scratch(*provider_, log_, "free"));
  });
  ASSERT_TRUE(log_.wait_for("free"));
  const bool fixed = GetParam() == Form::fixed;
  EXPECT_EQ(
      discarded.wait_for(fixed ? std::chrono::seconds(60) : kAWhile) == std::future_status::ready,
      fixed);
  if (fixed) {
    EXPECT_EQ(tracker->state().pinned_bytes, 4096);
  }
  kernel.let_go();
  discarded.get();
  EXPECT_EQ(log_.thread_of("free") == discarding, !fixed);
  EXPECT_TRUE(eventually([&] { return tracker->state().pinned_bytes == 0; }));
}

HIPLAB_BOTH_FORMS(TrackerDiscard);

}  // namespace
}  // namespace hiplab::lab
