// The event pool: locked and never torn down at exit, against unlocked and static (mlxcel 2196,
// 2197).
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "backend/locked_event_pool.h"
#include "forms/unlocked_event_pool.h"
#include "host_test_tools.h"
#include "lab.h"
#include "workload.h"

namespace hiplab::lab {
namespace {

using backend::Event;
using backend::EventPool;

std::unique_ptr<EventPool> make_pool(const backend::Context& context, Form form) {
  if (form == Form::fixed) return std::make_unique<backend::LockedEventPool>(context);
  return std::make_unique<forms::UnlockedEventPool>(context);
}

class EventPoolForms : public ::testing::TestWithParam<Form> {
 protected:
  const driver::Provider& provider_ = host("splitk", 2);
  backend::Counters counters_;
  const backend::Context context_{provider_, counters_};
};

// Two threads take while two events are free, one of them between reading an event and removing it.
// As filed the second thread gets what the first has moved away, a null event, and the event that
// nobody read is lost.
TEST_P(EventPoolForms, TwoThreadsTakeAtOnce) {
  const auto pool = make_pool(context_, GetParam());
  const hipEvent_t one = pool->take(0, false);
  const hipEvent_t two = pool->take(0, false);
  pool->give(0, false, one);
  pool->give(0, false, two);
  HoldAt window("eventpool.take.read");
  auto first = std::async(std::launch::async, [&] { return pool->take(0, false); });
  window.wait_until_held();
  auto second = std::async(std::launch::async, [&] { return pool->take(0, false); });
  let_second_thread_go(second, GetParam());
  window.release();
  const std::set<hipEvent_t> handed{first.get(), second.get()};
  EXPECT_EQ(handed == (std::set<hipEvent_t>{one, two}), GetParam() == Form::fixed);
  for (const hipEvent_t event : handed) {
    if (event != nullptr) pool->give(0, false, event);
  }
}

// One thread gives an event back while another is between reading one and removing it. As filed the
// one that was given is removed, and what has been moved away, a null event, is handed out next.
TEST_P(EventPoolForms, OneGivesWhileAnotherTakes) {
  const auto pool = make_pool(context_, GetParam());
  const hipEvent_t one = pool->take(0, false);
  const hipEvent_t two = pool->take(0, false);
  pool->give(0, false, one);
  HoldAt window("eventpool.take.read");
  auto taken = std::async(std::launch::async, [&] { return pool->take(0, false); });
  window.wait_until_held();
  const auto before = driver::live_objects().at("events");
  auto given = std::async(std::launch::async, [&] { pool->give(0, false, two); });
  let_second_thread_go(given, GetParam());
  window.release();
  EXPECT_EQ(taken.get(), one);
  given.get();
  const bool fixed = GetParam() == Form::fixed;
  EXPECT_EQ(driver::live_objects().at("events"), fixed ? before : before - 1);
  const hipEvent_t next = pool->take(0, false);
  EXPECT_EQ(next, fixed ? two : nullptr);
  for (const hipEvent_t event : {one, next}) {
    if (event != nullptr) pool->give(0, false, event);
  }
}

// Two takes through Event: recording the event that two threads were given fails as the source says
// (invalid resource handle), or every wait is right.
TEST_P(EventPoolForms, RecordsAndWaitsOfTwoThreads) {
  const auto backend = open(provider_, GetParam());
  const auto stream = backend->stream(0);
  {
    const auto one = backend->event(0, false);
    const auto two = backend->event(0, false);
  }
  HoldAt window("eventpool.take.read");
  const auto use = [&] {
    const auto event = backend->event(0, false);
    event->record(*stream);
    event->synchronize();
    return event->done();
  };
  auto first = std::async(std::launch::async, use);
  window.wait_until_held();
  auto second = std::async(std::launch::async, use);
  let_second_thread_go(second, GetParam());
  window.release();
  std::string message;
  for (auto* user : {&first, &second}) {
    try {
      EXPECT_TRUE(user->get());
    } catch (const Error& error) {
      message = error.what();
    }
  }
  EXPECT_EQ(message.find("hipEventRecord failed") == 0, GetParam() == Form::filed) << message;
  EXPECT_EQ(message.empty(), GetParam() == Form::fixed) << message;
}

// Eight threads take and give as fast as they can; a ledger notes who holds what. Ends early once
// one has found an event handed out twice, or none.
int hand_outs(EventPool& pool, int rounds) {
  constexpr int kSlots = 4096;
  static std::atomic<hipEvent_t> held[kSlots];  // by a hash of the handle, for speed
  for (auto& slot : held) slot = nullptr;
  std::atomic<int> wrong{0};
  on_threads(kThreads, [&](int) {
    for (int round = 0; round < rounds && wrong == 0; ++round) {
      hipEvent_t mine = nullptr;
      try {
        mine = pool.take(0, true);
      } catch (const Error&) {
        ++wrong;
        return;
      }
      auto& slot = held[(reinterpret_cast<std::uintptr_t>(mine) >> 4) % kSlots];
      if (mine == nullptr || slot.exchange(mine) == mine) ++wrong;
      hipEvent_t expected = mine;
      slot.compare_exchange_strong(expected, nullptr);
      pool.give(0, true, mine);
    }
  });
  return wrong;
}

TEST(EventPoolFixed, NoEventIsHandedOutTwice) {
  backend::Counters counters;
  const backend::Context context{host("splitk", 2), counters};
  backend::LockedEventPool pool(context);
  EXPECT_EQ(hand_outs(pool, test::kThreadSanitizer ? 300 : 3000), 0);
  EXPECT_LE(counters.handles_events, kThreads) << "what was given back is handed out again";
}

[[noreturn]] void exit_after_hand_outs() {
  backend::Counters counters;
  const backend::Context context{host("splitk", 2), counters};
  forms::UnlockedEventPool pool(context);
  std::_Exit(hand_outs(pool, 5000000) == 0 ? kExact : kWrong);
}

// Unforced; in a process of its own, as it may crash (20 of 20 in the source).
TEST(EventPoolFiledDeathTest, EightThreads) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(exit_after_hand_outs(), wrong_or_crashed, "");
}

class EventFixed : public ::testing::Test {
 protected:
  const driver::Provider& provider_ = host("splitk", 2);
};

TEST_F(EventFixed, EventsAreKeptByDeviceAndFlags) {
  backend::Counters counters;
  const backend::Context context{provider_, counters};
  backend::LockedEventPool pool(context);
  const hipEvent_t timed = pool.take(0, true);
  pool.give(0, true, timed);
  const hipEvent_t untimed = pool.take(0, false);
  EXPECT_NE(untimed, timed);
  const hipEvent_t other_device = pool.take(1, true);
  EXPECT_NE(other_device, timed);
  EXPECT_EQ(pool.take(0, true), timed);
  EXPECT_EQ(counters.handles_events, 3);
  pool.give(0, true, timed);
  pool.give(0, false, untimed);
  pool.give(1, true, other_device);
}

TEST_F(EventFixed, TheBackendDestroysAllOfThem) {
  const auto before = driver::live_objects().at("events");
  {
    const auto backend = open(provider_, Form::fixed);
    std::vector<std::unique_ptr<Event>> events;
    for (int i = 0; i < 8; ++i) events.push_back(backend->event(i % 2, i % 3 == 0));
    events.clear();
    EXPECT_EQ(driver::live_objects().at("events"), before + 8) << "the pool has them";
  }
  EXPECT_EQ(driver::live_objects().at("events"), before);
}

// A recycled event is new to its user, though its former user's recording is still pending.
TEST_F(EventFixed, ARecycledEventIsNotRecorded) {
  const auto backend = open(provider_, Form::fixed);
  const auto stream = backend->stream(0);
  const auto other = backend->stream(0);
  test::Hold hold(stream->get());
  hipEvent_t handle = nullptr;
  {
    const auto former = backend->event(0, true);
    former->record(*stream);
    EXPECT_FALSE(former->done());
    handle = former->get();
  }
  const auto event = backend->event(0, true);
  ASSERT_EQ(event->get(), handle);
  EXPECT_TRUE(event->done());
  event->synchronize();
  event->make_wait(*other);
  other->synchronize();
  const auto stop = backend->event(0, true);
  stop->record(*other);
  stop->synchronize();
  EXPECT_THROW(static_cast<void>(stop->millis_since(*event)), Error);
  event->record(*stream);
  EXPECT_FALSE(event->done());
  hold.open();
  event->synchronize();
  EXPECT_TRUE(event->done());
}

bool g_no_events = false;
hipError_t refusing_create(hipEvent_t* event, unsigned flags) {
  return g_no_events ? hipErrorOutOfMemory
                     : host("splitk", 2).table->hipEventCreateWithFlags(event, flags);
}

TEST_F(EventFixed, AFailedCreateIsToldAndTheNextSucceeds) {
  Patched patched(provider_);
  patched.table.hipEventCreateWithFlags = refusing_create;
  const auto backend = open(patched.provider, Form::fixed);
  g_no_events = true;
  std::string message;
  try {
    backend->event(1, false);
  } catch (const Error& error) {
    message = error.what();
  }
  g_no_events = false;
  EXPECT_EQ(message, "hipEventCreateWithFlags failed on device 1: hipErrorOutOfMemory (2)");
  EXPECT_NE(backend->event(1, false)->get(), nullptr);
}

// ---- Exit --------------------------------------------------------------------------------------

bool g_exiting = false;
hipError_t told_destroy(hipEvent_t event) {
  if (g_exiting) std::fputs("hipEventDestroy at exit\n", stderr);
  return host("splitk", 2).table->hipEventDestroy(event);
}

// Ends the process with events in the pool, and, where `late`, one that a static destructor gives
// back after every static that was made later, such as a filed pool's map, has been destroyed.
[[noreturn]] void exit_with_events(Form form, bool late) {
  static std::vector<std::unique_ptr<Event>> held_by_a_static;
  static auto* const patched = new Patched(host("splitk", 2));
  patched->table.hipEventDestroy = told_destroy;
  static auto* const backend = open(patched->provider, form).release();  // as the process's own
  {
    const auto one = backend->event(0, false);
    const auto two = backend->event(0, false);
    if (late) held_by_a_static.push_back(backend->event(0, false));
  }
  g_exiting = true;
  std::exit(0);
}

class EventTeardown : public ::testing::Test {
 protected:
  void SetUp() override { ::testing::GTEST_FLAG(death_test_style) = "threadsafe"; }
};
using EventTeardownFixed = EventTeardown;
using EventTeardownFiled = EventTeardown;

TEST_F(EventTeardownFixed, AnEventReleasedByAStaticDestructor) {
  EXPECT_EXIT(exit_with_events(Form::fixed, true), ::testing::ExitedWithCode(0), "^$");
}

TEST_F(EventTeardownFixed, NoEventIsDestroyedAtExit) {
  EXPECT_EXIT(exit_with_events(Form::fixed, false), ::testing::ExitedWithCode(0), "^$");
}

TEST_F(EventTeardownFiled, AnEventReleasedByAStaticDestructor) {
  EXPECT_EXIT(exit_with_events(Form::filed, true), ::testing::KilledBySignal(SIGABRT),
              "given back to the map that static teardown destroyed");
}

// On a faulted device each of these calls fails (mlxcel 2197).
TEST_F(EventTeardownFiled, EventsAreDestroyedAtExit) {
  EXPECT_EXIT(exit_with_events(Form::filed, false), ::testing::ExitedWithCode(0),
              "hipEventDestroy at exit");
}

HIPLAB_BOTH_FORMS(EventPoolForms);

}  // namespace
}  // namespace hiplab::lab
