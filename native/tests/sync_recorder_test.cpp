#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "sync/lasting.h"
#include "sync/point.h"
#include "sync/recorder.h"
#include "sync/thread.h"

namespace hiplab::sync {
namespace {

using Points = std::vector<std::string>;

struct Recording {
  Recording() { record_points(true); }
  ~Recording() { record_points(false); }
};

std::map<std::string, Points> recorded_points() {
  std::map<std::string, Points> all;
  visit_recorded(
      [](const RecordedThread& thread, void* context) {
        Points points(thread.points.begin(), thread.points.begin() + thread.count);
        static_cast<std::map<std::string, Points>*>(context)->insert_or_assign(thread.name, points);
      },
      &all);
  return all;
}

// What a thread has recorded of itself while it still lives.
Points of_thread(const std::string& name, const std::function<void()>& body) {
  Points points;
  Thread(name, [&] {
    body();
    points = recorded_points()[name];
  }).join();
  return points;
}

TEST(RecorderFixed, KeepsAThreadsLastPointsInTheirOrder) {
  const Recording recording;
  EXPECT_EQ(of_thread("few", [] { HIPLAB_POINT("one"), HIPLAB_POINT("two"); }),
            (Points{"one", "two"}));
  const Points last = of_thread("many", [] {
    for (int i = 0; i < 21; ++i) point(lasting("p" + std::to_string(i)));
  });
  EXPECT_EQ(last, (Points{"p13", "p14", "p15", "p16", "p17", "p18", "p19", "p20"}));
}

TEST(RecorderFixed, RecordsNothingWhileOff) {
  EXPECT_EQ(of_thread("off", [] { HIPLAB_POINT("unseen"); }), Points{});
  const Recording recording;
  EXPECT_EQ(of_thread("on", [] { HIPLAB_POINT("seen"); }), Points{"seen"});
}

TEST(RecorderFixed, AThreadThatEndedIsForgottenAndItsRingUsedAgain) {
  const Recording recording;
  for (int i = 0; i < 100; ++i) {
    of_thread("short", [] { HIPLAB_POINT("old"); });
    EXPECT_EQ(recorded_points().count("short"), 0u);
  }
  EXPECT_EQ(of_thread("later", [] { HIPLAB_POINT("new"); }), Points{"new"});
}

TEST(RecorderFixed, ForeignThreadsHaveTheKernelsNameUntilTheyAreNamed) {
  const Recording recording;
  std::map<std::string, Points> before;
  std::map<std::string, Points> after;
  std::thread([&] {
    pthread_setname_np(pthread_self(), "java-7");
    HIPLAB_POINT("a");
    before = recorded_points();
    name_thread("A");
    after = recorded_points();
  }).join();
  EXPECT_EQ(before["java-7"], Points{"a"});
  EXPECT_EQ(after.count("java-7"), 0u);
  EXPECT_EQ(after["A"], Points{"a"});
}

TEST(RecorderFixed, RecordsBesideADirector) {
  const Recording recording;
  std::atomic<int> heard{0};
  const ListenToPoints listen([&](const char*, std::thread::id) { ++heard; });
  EXPECT_EQ(of_thread("both", [] { HIPLAB_POINT("x"); }), Points{"x"});
  EXPECT_EQ(heard, 1);
}

TEST(RecorderFixed, LastingTextsAreOneCopyForAllThreads) {
  std::vector<std::thread> threads;
  std::vector<std::vector<const char*>> got(8);
  for (auto& mine : got) {
    threads.emplace_back([&mine] {
      for (int i = 0; i < 1000; ++i) mine.push_back(lasting("text-" + std::to_string(i)));
    });
  }
  for (auto& thread : threads) thread.join();
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(got[0][i], "text-" + std::to_string(i));
    for (const auto& other : got) EXPECT_EQ(other[i], got[0][i]);
  }
}

TEST(RecorderFixed, IsReadWhileThreadsComeGoAndPass) {
  const Recording recording;
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      while (!stop) {
        Thread("passing", [] {
          for (int i = 0; i < 100; ++i) HIPLAB_POINT("passing");
        }).join();
      }
    });
  }
  long seen = 0;
  while (seen < 200) {
    for (const auto& [name, points] : recorded_points()) {
      for (const std::string& point : points) seen += point == "passing" ? 1 : 0;
    }
    std::this_thread::yield();
  }
  stop = true;
  for (auto& thread : threads) thread.join();
  EXPECT_GE(seen, 200);
}

}  // namespace
}  // namespace hiplab::sync
