// Orders forced on threads that run freely: held, not reached, excluded; delays; recording.
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "driver/error.h"
#include "sync/forced_run.h"
#include "sync/mutex.h"
#include "sync/point.h"
#include "sync/thread.h"

namespace hiplab::sync {
namespace {

using Status = OrderResult::Status;

// A bound that no test waits for unless it says so.
constexpr char kLong[] = "bound 600s\n";

Schedule schedule(const std::string& text) { return Schedule::parse(text); }

std::string told(const OrderResult& result) {
  return result.order.text() + ": " + status_name(result.status) + ": " + result.detail;
}

// Two threads without a lock: whatever is asked for can be had, and the code sees it.
TEST(ForcedRunFixed, EitherOrderHolds) {
  for (int i = 0; i < 20; ++i) {
    for (const bool a_first : {true, false}) {
      std::string happened;
      std::mutex mutex;
      const auto write = [&](char who) {
        const std::lock_guard lock(mutex);
        happened += who;
      };
      ForcedRun run(schedule(
          kLong + std::string(a_first ? "order A:wrote -> B:enter" : "order B:wrote -> A:enter")));
      const auto body = [&](char who) {
        HIPLAB_POINT("enter");
        write(who);
        HIPLAB_POINT("wrote");
      };
      Thread a("A", [&] { body('a'); });
      Thread b("B", [&] { body('b'); });
      a.join();
      b.join();
      run.finish();
      EXPECT_EQ(happened, a_first ? "ab" : "ba");
      ASSERT_EQ(run.results().size(), 1u);
      EXPECT_EQ(run.results()[0].status, Status::held) << told(run.results()[0]);
    }
  }
}

// B goes into A's window and out again before A goes on: a chain that states both ends.
TEST(ForcedRunFixed, WindowFromBothEnds) {
  std::string happened;
  ForcedRun run(schedule(kLong + std::string("order A:flag-set -> B:enter\n"
                                             "order B:leave -> A:create\n")));
  Thread a("A", [&] {
    happened += "flag ";
    HIPLAB_POINT("flag-set");
    HIPLAB_POINT("create");
    happened += "create ";
  });
  Thread b("B", [&] {
    HIPLAB_POINT("enter");
    happened += "read ";
    HIPLAB_POINT("leave");
  });
  a.join();
  b.join();
  run.finish();
  EXPECT_EQ(happened, "flag read create ");
  for (const auto& result : run.results()) EXPECT_EQ(result.status, Status::held) << told(result);
}

// Two threads that are to be in their windows at once: arrived, not passed, or they would wait for
// each other.
TEST(ForcedRunFixed, RendezvousIsNoDeadlock) {
  ForcedRun run(schedule(kLong + std::string("order A:window arrived -> B:window\n"
                                             "order B:window arrived -> A:window\n")));
  Thread a("A", [] { HIPLAB_POINT("window"); });
  Thread b("B", [] { HIPLAB_POINT("window"); });
  a.join();
  b.join();
  run.finish();
  for (const auto& result : run.results()) EXPECT_EQ(result.status, Status::held) << told(result);
}

// Orders that contradict each other through other points: found without a clock, and named; no
// finding about the program.
TEST(ForcedRunFixed, ContradictionIsAConflictAndEnds) {
  ForcedRun run(schedule(kLong + std::string("order A:two -> B:one\norder B:two -> A:one\n")));
  const auto body = [] {
    HIPLAB_POINT("one");
    HIPLAB_POINT("two");
  };
  Thread a("A", body);
  Thread b("B", body);
  a.join();
  b.join();
  run.finish();
  const auto results = run.results();
  const int conflicts =
      static_cast<int>(std::count_if(results.begin(), results.end(), [](const auto& r) {
        return r.status == Status::conflicting;
      }));
  EXPECT_EQ(conflicts, 1) << run.report();
  for (const auto& result : results) {
    if (result.status != Status::conflicting) continue;
    EXPECT_FALSE(result.proved);
    EXPECT_NE(result.detail.find("is held by \"order "), std::string::npos) << result.detail;
  }
}

TEST(ForcedRunFixed, OccurrencesAreCounted) {
  std::string happened;
  std::mutex mutex;
  ForcedRun run(schedule(kLong + std::string("order A:round#3 -> B:round\n")));
  const auto round = [&](char who) {
    HIPLAB_POINT("round");
    const std::lock_guard lock(mutex);
    happened += who;
  };
  Thread b("B", [&] { round('b'); });
  Thread a("A", [&] {
    for (int i = 0; i < 3; ++i) round('a');
  });
  a.join();
  b.join();
  run.finish();
  EXPECT_EQ(run.results()[0].status, Status::held);
  EXPECT_GE(happened.find('b'), 2u) << happened;
}

// A point that the awaited thread does not have: known when that thread has ended, with no clock.
TEST(ForcedRunFixed, MissingPointIsNotReached) {
  ForcedRun run(schedule(kLong + std::string("order A:missing -> B:enter\n"
                                             "order B:enter -> A:missing-too\n")));
  Thread b("B", [] { HIPLAB_POINT("enter"); });
  Thread a("A", [] { HIPLAB_POINT("enter"); });
  a.join();
  b.join();
  run.finish();
  EXPECT_EQ(told(run.results()[0]),
            "order A:missing -> B:enter: not reached: A never came to missing (B went on: A has "
            "ended)");
  EXPECT_EQ(told(run.results()[1]),
            "order B:enter -> A:missing-too: not reached: A never came to missing-too");
}

// An order that stands behind one whose point is missing is not the program's doing either.
TEST(ForcedRunFixed, OrderBehindAMissingPointIsNotReached) {
  ForcedRun run(schedule(kLong + std::string("order A:missing -> B:enter\n"
                                             "order B:leave -> A:create\n")));
  Thread a("A", [] { HIPLAB_POINT("create"); });
  Thread b("B", [] {
    HIPLAB_POINT("enter");
    HIPLAB_POINT("leave");
  });
  a.join();
  b.join();
  run.finish();
  EXPECT_EQ(run.results()[0].status, Status::not_reached) << told(run.results()[0]);
  EXPECT_NE(run.results()[1].status, Status::excluded) << told(run.results()[1]);
}

// A thread that never comes at all: the bound.
TEST(ForcedRunFixed, MissingThreadIsNotReached) {
  ForcedRun run(schedule("order C:enter -> B:enter\nbound 20ms\n"));
  Thread b("B", [] { HIPLAB_POINT("enter"); });
  b.join();
  run.finish();
  EXPECT_EQ(run.results()[0].status, Status::not_reached);
  EXPECT_TRUE(run.results()[0].waited);
}

// B holds the lock and waits for A, which wants it.
TEST(ForcedRunFixed, LockExcludes) {
  Mutex mutex("handle");
  std::string happened;
  ForcedRun run(schedule(kLong + std::string("order B:locked arrived -> A:enter\n"
                                             "order A:locked -> B:locked\n")));
  const auto body = [&](const char* who) {
    HIPLAB_POINT("enter");
    const std::lock_guard lock(mutex);
    HIPLAB_POINT("locked");
    happened += who;
  };
  Thread a("A", [&] { body("a"); });
  Thread b("B", [&] { body("b"); });
  a.join();
  b.join();
  run.finish();
  EXPECT_EQ(happened, "ba");
  EXPECT_EQ(run.results()[0].status, Status::held);
  const OrderResult result = run.results()[1];
  EXPECT_EQ(told(result),
            "order A:locked -> B:locked: excluded: A waits for lock \"handle\", held by B");
  EXPECT_TRUE(result.proved);
}

// A waits for a lock of C, which waits for a lock of B, which waits for A.
TEST(ForcedRunFixed, ChainOfLocksExcludes) {
  Mutex first("first");
  SharedMutex second("second");
  ForcedRun run(schedule(kLong + std::string("order C:has-first arrived -> A:enter\n"
                                             "order B:has-second arrived -> C:has-first\n"
                                             "order A:done -> B:has-second\n")));
  Thread a("A", [&] {
    HIPLAB_POINT("enter");
    const std::lock_guard lock(first);
    HIPLAB_POINT("done");
  });
  Thread b("B", [&] {
    const std::shared_lock lock(second);
    HIPLAB_POINT("has-second");
  });
  Thread c("C", [&] {
    const std::lock_guard one(first);
    HIPLAB_POINT("has-first");
    const std::unique_lock two(second);
  });
  a.join();
  b.join();
  c.join();
  run.finish();
  const OrderResult result = run.results()[2];
  EXPECT_EQ(result.status, Status::excluded) << told(result);
  EXPECT_TRUE(result.proved);
  EXPECT_EQ(result.detail,
            "A waits for lock \"first\", held by C; C waits for lock \"second\", held by B");
}

// Two readers of a shared lock do not exclude each other.
TEST(ForcedRunFixed, SharedLocksDoNotExclude) {
  SharedMutex map("map");
  ForcedRun run(schedule(kLong + std::string("order A:read -> B:reading\n")));
  Thread b("B", [&] {
    const std::shared_lock lock(map);
    HIPLAB_POINT("reading");
  });
  Thread a("A", [&] {
    const std::shared_lock lock(map);
    HIPLAB_POINT("read");
  });
  a.join();
  b.join();
  run.finish();
  EXPECT_EQ(run.results()[0].status, Status::held) << told(run.results()[0]);
}

// A wait whose lock the waiter holds cannot end either.
TEST(ForcedRunFixed, WaitUnderAHeldLockExcludes) {
  Mutex mutex("queue");
  ConditionVariable changed;
  bool ready = false;
  ForcedRun run(schedule(kLong + std::string("order A:woken -> B:locked\n")));
  Thread a("A", [&] {
    std::unique_lock lock(mutex);
    HIPLAB_POINT("will-wait");
    changed.wait(lock, [&] { return ready; });
    lock.unlock();
    HIPLAB_POINT("woken");
  });
  Thread b("B", [&] {
    const std::lock_guard lock(mutex);
    ready = true;
    changed.notify_all();
    HIPLAB_POINT("locked");
  });
  a.join();
  b.join();
  run.finish();
  // When B took the lock before A, A waits for the lock and not for the condition.
  EXPECT_EQ(run.results()[0].status, Status::excluded) << told(run.results()[0]);
  EXPECT_TRUE(run.results()[0].proved);
}

// What no lock shows: A waits, outside sync's types, for B to have passed. The bound ends it.
TEST(ForcedRunFixed, BoundExcludes) {
  std::atomic<bool> passed{false};
  ForcedRun run(schedule("order A:after -> B:point\nbound 20ms\n"));
  Thread b("B", [&] {
    HIPLAB_POINT("point");
    passed = true;
  });
  Thread a("A", [&] {
    while (!passed) std::this_thread::yield();
    HIPLAB_POINT("after");
  });
  a.join();
  b.join();
  run.finish();
  const OrderResult result = run.results()[0];
  EXPECT_EQ(told(result), "order A:after -> B:point: excluded: A:after did not come within 20ms");
  EXPECT_FALSE(result.proved);
}

// FILED and FIXED in small: a flag set before the handle is there, and the same under a lock.
TEST(ForcedRunFixed, TellsAFormThatExcludesFromOneThatDoesNot) {
  for (const bool fixed : {true, false}) {
    Mutex mutex("init");
    bool flag = false;
    bool handle = false;
    bool saw_half = false;
    ForcedRun run(schedule(kLong + std::string("order A:flag-set -> B:enter\n"
                                               "order B:leave -> A:create\n")));
    const auto body = [&] {
      HIPLAB_POINT("enter");
      {
        std::unique_lock lock(mutex, std::defer_lock);
        if (fixed) lock.lock();
        if (!flag) {
          flag = true;
          HIPLAB_POINT("flag-set");
          HIPLAB_POINT("create");
          handle = true;
        }
        saw_half |= !handle;
      }
      HIPLAB_POINT("leave");
    };
    Thread a("A", body);
    Thread b("B", body);
    a.join();
    b.join();
    run.finish();
    EXPECT_EQ(saw_half, !fixed);
    EXPECT_EQ(run.results()[0].status, Status::held) << told(run.results()[0]);
    EXPECT_EQ(run.results()[1].status, fixed ? Status::excluded : Status::held)
        << told(run.results()[1]);
    if (fixed) {
      EXPECT_EQ(run.results()[1].detail, "B waits for lock \"init\", held by A");
    }
  }
}

// The delayed thread is overtaken by one that waits for nothing.
TEST(ForcedRunFixed, DelayWidensAWindow) {
  std::string happened;
  std::mutex mutex;
  ForcedRun run(schedule("delay A:window 100ms\nrecord\norder A:begun -> B:window\n"));
  const auto body = [&](char who) {
    HIPLAB_POINT("begun");
    HIPLAB_POINT("window");
    const std::lock_guard lock(mutex);
    happened += who;
  };
  Thread a("A", [&] { body('a'); });
  Thread b("B", [&] { body('b'); });
  a.join();
  b.join();
  run.finish();
  EXPECT_EQ(happened, "ba");
  EXPECT_EQ(run.recorded().back(), (Place{"A", "window", 1}));
}

// Whoever finishes a run may wait for the thread that is in a delay.
TEST(ForcedRunFixed, ADelayEndsWithTheRun) {
  ForcedRun run(schedule("delay B:x 3600s\norder B:x arrived -> A:y\nrecord\n"));
  Thread b("B", [] { HIPLAB_POINT("x"); });
  Thread a("A", [] { HIPLAB_POINT("y"); });
  a.join();  // B is in its delay
  EXPECT_EQ(run.recorded(), (std::vector<Place>{{"A", "y", 1}}));
  run.finish();
  b.join();
  ASSERT_EQ(run.results().size(), 1u);
  EXPECT_EQ(run.results()[0].status, Status::held) << told(run.results()[0]);
}

// What was recorded, forced on the next run, happens again.
TEST(ForcedRunFixed, RecordedOrderCanBeForced) {
  const auto workload = [] {
    std::vector<Thread> threads;
    for (const char* name : {"A", "B", "C"}) {
      threads.emplace_back(name, [] {
        for (int i = 0; i < 4; ++i) HIPLAB_POINT("step");
      });
    }
    for (auto& thread : threads) thread.join();
  };
  ForcedRun first(schedule("record\norder C:step#2 -> A:step#2\norder B:step -> C:step\n"));
  workload();
  first.finish();
  ASSERT_EQ(first.recorded().size(), 12u);
  for (int i = 0; i < 10; ++i) {
    Schedule again = first.recorded_schedule();
    EXPECT_EQ(Schedule::parse(again.text()), again);
    again.record = true;
    ForcedRun second(again);
    workload();
    second.finish();
    for (const auto& result : second.results()) EXPECT_EQ(result.status, Status::held);
    EXPECT_EQ(second.recorded_schedule().text(), first.recorded_schedule().text());
  }
}

TEST(ForcedRunFixed, ThreadsOfOneNameAreNumbered) {
  ForcedRun run(schedule("record\n"));
  Thread one("queue", [] { HIPLAB_POINT("p"); });
  one.join();
  Thread two("queue", [] { HIPLAB_POINT("p"); });
  two.join();
  std::thread([] {
    const ThreadName name("jvm");
    HIPLAB_POINT("p");
  }).join();
  run.finish();
  EXPECT_EQ(run.recorded(),
            (std::vector<Place>{{"queue", "p", 1}, {"queue/2", "p", 1}, {"jvm", "p", 1}}));
}

TEST(ForcedRunFixed, ReportIsASchedule) {
  const std::string text = "order A:x -> B:y\ndelay x 1ms\nrecord\nbound 2s\n";
  ForcedRun run(schedule(text));
  Thread a("A", [] { HIPLAB_POINT("x"); });
  a.join();
  run.finish();
  const std::string report = run.report();
  EXPECT_EQ(Schedule::parse(report), Schedule::parse(text)) << report;
  EXPECT_NE(report.find("# not reached: B never came to y"), std::string::npos) << report;
  EXPECT_NE(report.find("# passed A:x"), std::string::npos) << report;
}

TEST(ForcedRunFixed, SteppedScheduleIsRefused) {
  EXPECT_THROW(ForcedRun(schedule("stepped seed=1\n")), Error);
}

}  // namespace
}  // namespace hiplab::sync
