// One thread at a time: the same choices, the same run.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <future>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <string>
#include <vector>

#include "driver/error.h"
#include "sync/access.h"
#include "sync/condition_variable.h"
#include "sync/mutex.h"
#include "sync/point.h"
#include "sync/stepper.h"
#include "sync/thread.h"
#include "sync/time.h"

namespace hiplab::sync {
namespace {

using Lines = std::vector<std::string>;
using std::chrono::hours;
using std::chrono::milliseconds;

struct Ran {
  Lines trace;
  std::vector<std::size_t> choices;
  std::optional<std::string> deadlock;
  std::string complaint;
};

Ran run(std::shared_ptr<Chooser> chooser, const std::function<void()>& workload,
        StepperOptions options = {}) {
  Stepper stepper(std::move(chooser), options);
  workload();
  stepper.finish();
  return {stepper.trace(), stepper.choices(), stepper.deadlock(), stepper.complaint()};
}

Ran seeded(std::uint64_t seed, const std::function<void()>& workload, StepperOptions options = {}) {
  return run(std::make_shared<SeededChooser>(seed), workload, options);
}

// Eight threads that lock, wait for each other, sleep and read what they share.
void busy_workload() {
  Mutex mutex("m");
  SharedMutex map("map");
  ConditionVariable changed;
  int turn = 0;
  int counter = 0;
  std::vector<Thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back("T", [&, t] {
      HIPLAB_POINT("enter");
      {
        const std::shared_lock lock(map);
        HIPLAB_READ(&counter, "counter");
      }
      {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return turn >= t / 2; });
        ++turn;
        changed.notify_all();
      }
      sleep_for(milliseconds(t % 3));
      {
        const std::lock_guard lock(map);
        HIPLAB_WRITE(&counter, "counter");
        ++counter;
      }
      HIPLAB_POINT("leave");
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(counter, 8);
}

TEST(StepperFixed, OneSeedOneTrace) {
  const Ran first = seeded(42, busy_workload);
  EXPECT_GT(first.choices.size(), 50u);
  EXPECT_EQ(first.complaint, "");
  for (int i = 0; i < 100; ++i) {
    const Ran again = seeded(42, busy_workload);
    ASSERT_EQ(again.trace, first.trace);
    ASSERT_EQ(again.choices, first.choices);
  }
}

TEST(StepperFixed, RecordedChoicesGiveTheSameTrace) {
  const Ran first = seeded(7, busy_workload);
  const auto replay = std::make_shared<ReplayChooser>(first.choices);
  const Ran second = run(replay, busy_workload);
  EXPECT_EQ(second.trace, first.trace);
  EXPECT_EQ(second.choices, first.choices);
  EXPECT_FALSE(replay->diverged());
}

TEST(StepperFixed, ChoicesThatDoNotFitAreTold) {
  const auto replay = std::make_shared<ReplayChooser>(std::vector<std::size_t>{0, 99});
  run(replay, busy_workload);
  EXPECT_TRUE(replay->diverged());
}

TEST(StepperFixed, OtherSeedsGiveOtherTraces) {
  std::set<Lines> traces;
  for (int seed = 0; seed < 20; ++seed) traces.insert(seeded(seed, busy_workload).trace);
  EXPECT_EQ(traces.size(), 20u);
}

TEST(StepperFixed, TraceTellsThreadWhatAndWhere) {
  class First final : public Chooser {
   public:
    std::size_t choose(const std::vector<Candidate>& candidates, std::size_t running) override {
      return running < candidates.size() ? running : 0;  // nobody is interrupted
    }
  };
  int field = 0;
  const Ran ran = run(std::make_shared<First>(), [&] {
    Mutex mutex("m");
    SharedMutex map("map");
    ConditionVariable changed;
    bool ready = false;
    Thread a("A", [&] {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return ready; });
      EXPECT_FALSE(changed.wait_for(lock, hours(1), [] { return false; }));
    });
    Thread b("A", [&] {
      HIPLAB_POINT("window");
      HIPLAB_WRITE(&field, "part.field");
      const std::shared_lock shared(map);
      const std::lock_guard lock(mutex);
      ready = true;
    });
    a.join();
    b.join();
    sleep_for(hours(1));
  });
  EXPECT_EQ(ran.trace, (Lines{"main start A",
                              "main started A",
                              "main start A/2",
                              "main started A/2",
                              "A begin",
                              "A lock m",
                              "A wait m",
                              "A/2 begin",
                              "A/2 point window",
                              "A/2 write part.field",
                              "A/2 lock-shared map",
                              "A/2 lock m",
                              "A/2 unlock m",
                              "A/2 unlock map",
                              "A/2 end",
                              "A woken m",
                              "A wait m",
                              "A timed-out m",
                              "A unlock m",
                              "A end",
                              "main join A",
                              "main join A/2",
                              "main sleep"}));
}

// A lost update is found, again and again by the same seed; with a lock never.
TEST(StepperFixed, FindsALostUpdate) {
  const auto counted = [](std::uint64_t seed, bool locked) {
    int counter = 0;
    seeded(seed, [&] {
      Mutex mutex("m");
      const auto body = [&] {
        std::unique_lock lock(mutex, std::defer_lock);
        if (locked) lock.lock();
        HIPLAB_READ(&counter, "counter");
        const int before = counter;
        HIPLAB_WRITE(&counter, "counter");
        counter = before + 1;
      };
      Thread a("A", body);
      Thread b("B", body);
      a.join();
      b.join();
    });
    return counter;
  };
  std::vector<std::uint64_t> failing;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    EXPECT_EQ(counted(seed, true), 2);
    if (counted(seed, false) == 1) failing.push_back(seed);
  }
  ASSERT_FALSE(failing.empty());
  EXPECT_LT(failing.size(), 40u);
  for (const std::uint64_t seed : failing) EXPECT_EQ(counted(seed, false), 1);
}

// Time is virtual: an hour takes none, and the shorter sleep ends first whoever is chosen.
TEST(StepperFixed, TimePassesInOrderOfDeadlines) {
  for (int seed = 0; seed < 10; ++seed) {
    std::string woken;
    const Ran ran = seeded(seed, [&] {
      Thread a("A", [&] {
        sleep_for(hours(200));
        woken += 'a';
      });
      Thread b("B", [&] {
        Mutex mutex("m");
        ConditionVariable never;
        std::unique_lock lock(mutex);
        EXPECT_FALSE(never.wait_for(lock, hours(100), [] { return false; }));
        woken += 'b';
      });
      a.join();
      b.join();
    });
    EXPECT_EQ(woken, "ba");
  }
}

// Unless a sleep may end whenever it is chosen: then either can be first.
TEST(StepperFixed, SleepsMayEndAtAnyTime) {
  std::set<std::string> orders;
  for (int seed = 0; seed < 40; ++seed) {
    const Schedule schedule =
        Schedule::parse("stepped seed=" + std::to_string(seed) + " sleeps=any");
    std::string woken;
    Stepper stepper(schedule);
    Thread a("A", [&] {
      sleep_for(hours(2));
      woken += 'a';
    });
    Thread b("B", [&] {
      sleep_for(hours(1));
      woken += 'b';
    });
    a.join();
    b.join();
    stepper.finish();
    orders.insert(woken);
  }
  EXPECT_EQ(orders, (std::set<std::string>{"ab", "ba"}));
}

TEST(StepperFixed, ScheduleWithoutASteppedLineIsRefused) {
  EXPECT_THROW(Stepper(Schedule::parse("record")), Error);
}

// Nobody notifies; the predicate alone decides.
TEST(StepperFixed, WaitEndsWithoutANotification) {
  seeded(3, [] {
    Mutex mutex("m");
    ConditionVariable changed;
    bool ready = false;
    Thread a("A", [&] {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return ready; });
    });
    {
      const std::lock_guard lock(mutex);
      ready = true;
    }
    a.join();
  });
}

// Two locks in two orders: some seeds deadlock, and the report says who waits for which lock. The
// threads are unwound, and the run ends.
TEST(StepperFixed, LockOrderDeadlockIsReported) {
  const auto workload = [] {
    Mutex one("one");
    Mutex two("two");
    const auto body = [](Mutex& first, Mutex& second) {
      const std::lock_guard a(first);
      const std::lock_guard b(second);
    };
    Thread a("A", [&] { body(one, two); });
    Thread b("B", [&] { body(two, one); });
    a.join();
    b.join();
  };
  std::vector<std::uint64_t> failing;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Ran ran = seeded(seed, workload);
    if (!ran.deadlock) continue;
    failing.push_back(seed);
    EXPECT_EQ(*ran.deadlock,
              "no thread can go on: main waits for the end of A; A waits for lock \"two\", held by "
              "B; B waits for lock \"one\", held by A");
    EXPECT_NE(std::find(ran.trace.begin(), ran.trace.end(), "A deadlock two"), ran.trace.end());
  }
  ASSERT_FALSE(failing.empty());
  EXPECT_LT(failing.size(), 40u);
  for (const std::uint64_t seed : failing) EXPECT_TRUE(seeded(seed, workload).deadlock);
}

TEST(StepperFixed, WaitForNothingIsReported) {
  std::string thrown;
  const Ran ran = seeded(1, [&] {
    Mutex mutex("device event");
    ConditionVariable never;
    std::unique_lock lock(mutex);
    try {
      never.wait(lock, [] { return false; });
    } catch (const Deadlock& deadlock) {
      thrown = deadlock.what();
    }
    EXPECT_FALSE(lock.owns_lock());
  });
  EXPECT_EQ(ran.deadlock,
            "no thread can go on: main waits for its condition under lock \"device event\"");
  EXPECT_EQ(thrown, ran.deadlock);
}

// A thread from before the run is taken in charge where it waits, and is free again afterwards.
TEST(StepperFixed, TakesOverThreadsThatWait) {
  Mutex mutex("work");
  ConditionVariable work;
  ConditionVariable done;
  int wanted = 0;
  int made = 0;
  bool stop = false;
  Thread worker("worker", [&] {
    std::unique_lock lock(mutex);
    for (;;) {
      work.wait(lock, [&] { return stop || made < wanted; });
      if (stop) return;
      HIPLAB_POINT("making");
      ++made;
      done.notify_all();
    }
  });
  const auto ask = [&] {
    std::unique_lock lock(mutex);
    const int mine = ++wanted;
    work.notify_one();
    done.wait(lock, [&] { return made >= mine; });
  };
  ask();
  Lines first;
  for (int i = 0; i < 20; ++i) {
    const Ran ran = seeded(5, [&] {
      ask();
      ask();
    });
    EXPECT_EQ(ran.complaint, "");
    EXPECT_EQ(std::count(ran.trace.begin(), ran.trace.end(), "worker point making"), 2);
    if (i == 0) first = ran.trace;
    EXPECT_EQ(ran.trace, first);
    ask();  // free in between
  }
  {
    const std::lock_guard lock(mutex);
    stop = true;
  }
  work.notify_one();
  worker.join();
}

// Detached threads that still wait when the run ends go on by themselves.
TEST(StepperFixed, ThreadsOutliveTheRun) {
  struct Shared {
    Mutex mutex{"m"};
    ConditionVariable changed;
    bool go = false;
    std::promise<void> ended;
  };
  const auto shared = std::make_shared<Shared>();
  seeded(2, [&] {
    Thread("D", [shared] {
      HIPLAB_POINT("begin");
      std::unique_lock lock(shared->mutex);
      shared->changed.wait(lock, [&] { return shared->go; });
      shared->ended.set_value();
    }).detach();
    HIPLAB_POINT("main");
  });
  {
    const std::lock_guard lock(shared->mutex);
    shared->go = true;
  }
  shared->changed.notify_all();
  EXPECT_EQ(shared->ended.get_future().wait_for(std::chrono::seconds(60)),
            std::future_status::ready);
}

// Threads that something else starts are announced by their parent.
TEST(StepperFixed, ForeignThreadsAreAnnounced) {
  const auto workload = [] {
    Mutex mutex("m");
    int count = 0;
    std::vector<std::unique_ptr<ForeignThread>> announced;
    std::vector<std::thread> threads;
    for (const char* name : {"jvm-0", "jvm-1", "jvm-2"}) {
      announced.push_back(std::make_unique<ForeignThread>(name));
      ForeignThread& foreign = *announced.back();
      threads.emplace_back([&] {
        foreign.begin();
        {
          const std::lock_guard lock(mutex);
          HIPLAB_POINT("counting");
          ++count;
        }
        foreign.end();
      });
      foreign.started();
    }
    for (std::size_t i = 0; i < threads.size(); ++i) {
      announced[i]->join();
      threads[i].join();
    }
    EXPECT_EQ(count, 3);
  };
  const Ran first = seeded(11, workload);
  EXPECT_NE(std::find(first.trace.begin(), first.trace.end(), "jvm-2 point counting"),
            first.trace.end());
  for (int i = 0; i < 20; ++i) EXPECT_EQ(seeded(11, workload).trace, first.trace);
  EXPECT_NE(seeded(12, workload).trace, first.trace);
}

// A thread that nobody announced may still give what a controlled one waits for.
TEST(StepperFixed, ThreadsOutsideAreWaitedFor) {
  Mutex mutex("m");
  ConditionVariable changed;
  bool ready = false;
  std::promise<void> named;
  std::promise<void> go;
  std::thread outside([&] {
    const ThreadName name("outside");
    named.set_value();
    go.get_future().wait();
    const std::lock_guard lock(mutex);
    ready = true;
    changed.notify_all();
  });
  named.get_future().wait();
  const Ran ran = seeded(1, [&] {
    std::unique_lock lock(mutex);
    go.set_value();
    changed.wait(lock, [&] { return ready; });
  });
  outside.join();
  EXPECT_FALSE(ran.deadlock);
}

TEST(StepperFixed, EndlessRunIsGivenUp) {
  StepperOptions options;
  options.most_decisions = 1000;
  int rounds = 0;
  const Ran ran = seeded(
      1,
      [&] {
        for (; rounds < 5000; ++rounds) HIPLAB_POINT("round");
      },
      options);
  EXPECT_EQ(rounds, 5000);
  EXPECT_EQ(ran.complaint, "given up after 1000 decisions");
  EXPECT_EQ(ran.trace.size(), 1000u);
}

TEST(StepperFixed, AccessesNeedNotBeDecisions) {
  StepperOptions options;
  options.at_accesses = false;
  int field = 0;
  const Ran ran = seeded(1, [&] { HIPLAB_READ(&field, "field"); }, options);
  EXPECT_TRUE(ran.trace.empty());
}

TEST(StepperFixed, OneDirectorAtATime) {
  const ListenToPoints listen([](const char*, std::thread::id) {});
  EXPECT_THROW(Stepper(std::make_shared<SeededChooser>(1)), Error);
}

}  // namespace
}  // namespace hiplab::sync
