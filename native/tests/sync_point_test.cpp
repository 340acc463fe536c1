#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "driver/error.h"
#include "sync/point.h"

namespace hiplab::sync {
namespace {

TEST(PointFixed, TellsNameAndThreadWhileListening) {
  std::vector<std::pair<std::string, std::thread::id>> reached;
  HIPLAB_POINT("before");
  {
    const ListenToPoints listen(
        [&](const char* name, std::thread::id thread) { reached.emplace_back(name, thread); });
    HIPLAB_POINT("while");
  }
  HIPLAB_POINT("after");
  ASSERT_EQ(reached.size(), 1u);
  EXPECT_EQ(reached[0].first, "while");
  EXPECT_EQ(reached[0].second, std::this_thread::get_id());
}

TEST(PointFixed, SecondListenerIsAnError) {
  const ListenToPoints first([](const char*, std::thread::id) {});
  EXPECT_THROW(ListenToPoints([](const char*, std::thread::id) {}), Error);
}

TEST(PointFixed, ListenersComeAndGoWhileThreadsPass) {
  std::atomic<bool> stop{false};
  std::atomic<long> heard{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      while (!stop) HIPLAB_POINT("passing");
    });
  }
  for (int i = 0; i < 50; ++i) {
    const ListenToPoints listen([&](const char*, std::thread::id) { ++heard; });
    const long before = heard;
    while (heard == before) std::this_thread::yield();
  }
  stop = true;
  for (auto& thread : threads) thread.join();
  EXPECT_GE(heard, 50);
}

}  // namespace
}  // namespace hiplab::sync
