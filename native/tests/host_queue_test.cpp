// Streams that share the hardware queues of a software device.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <set>
#include <thread>

#include "driver/host/hardware_queue.h"
#include "host_test_tools.h"

namespace hiplab::test {
namespace {

using namespace std::chrono_literals;

class HostQueueFixed : public HostTest {
 protected:
  ~HostQueueFixed() override { unsetenv("GPU_MAX_HW_QUEUES"); }
  void open_with(const char* hardware_queues, int devices = 1) {
    setenv("GPU_MAX_HW_QUEUES", hardware_queues, 1);
    open("splitk", devices);
  }
  static const void* hardware(hipStream_t s) { return &host::machine().queue(s)->hardware(); }
};

TEST_F(HostQueueFixed, TheNumberIsThatOfTheEnvironment) {
  EXPECT_EQ(host::find_profile("gfx1151")->hardware_queues.value, 4);
  EXPECT_EQ(host::hardware_queues(nullptr, 4), 4);
  for (const char* four : {"", "0", "-3", "many", "3x", "99999999999999999999", "4"}) {
    EXPECT_EQ(host::hardware_queues(four, 4), 4) << four;
  }
  EXPECT_EQ(host::hardware_queues("1", 4), 1);
  EXPECT_EQ(host::hardware_queues("3", 4), 3);
  EXPECT_EQ(host::hardware_queues("16", 4), 16);
}

TEST_F(HostQueueFixed, StreamsGetTheirOwnUntilTheyAreUsedUpAndThenTheLeastUsed) {
  open_with("3");
  std::vector<const void*> seen;
  std::vector<hipStream_t> streams;
  for (int i = 0; i < 6; ++i) {
    streams.push_back(stream());
    seen.push_back(hardware(streams.back()));
  }
  EXPECT_EQ(std::set<const void*>(seen.begin(), seen.begin() + 3).size(), 3u);
  EXPECT_EQ(std::vector<const void*>(seen.begin(), seen.begin() + 3),
            std::vector<const void*>(seen.begin() + 3, seen.end()));
  ASSERT_EQ(t->hipStreamDestroy(streams[1]), hipSuccess);
  EXPECT_EQ(hardware(stream()), seen[1]);
  EXPECT_EQ(hardware(nullptr), seen[0]) << "the null stream is one more";
}

TEST_F(HostQueueFixed, ARunawayKernelBlocksTheStreamsBehindItAndNoOther) {
  open_with("2");
  const auto first = stream();
  const auto other = stream();
  const auto shares = stream();
  ASSERT_EQ(hardware(first), hardware(shares));
  auto* p = upload(std::vector<std::uint8_t>(64, 0));  // the null stream shares with `other`
  Hold runaway(first);
  ASSERT_EQ(t->hipMemsetAsync(p, 1, 64, shares), hipSuccess);
  ASSERT_EQ(t->hipMemsetAsync(p, 2, 64, other), hipSuccess);
  EXPECT_EQ(t->hipStreamSynchronize(other), hipSuccess);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(t->hipStreamQuery(shares), hipErrorNotReady);
  EXPECT_EQ(download(p, 64)[0], 2);
  runaway.open();
  ASSERT_EQ(t->hipStreamSynchronize(shares), hipSuccess);
  EXPECT_EQ(download(p, 64)[0], 1);
}

TEST_F(HostQueueFixed, StepsOfSharingStreamsRunInTheOrderOfSubmission) {
  open_with("1");
  const auto first = stream();
  const auto second = stream();
  std::vector<int> order;
  {
    Hold hold(first);
    for (int i = 0; i < 100; ++i) {
      host::machine().queue(i % 3 == 0 ? first : second)->enqueue([&order, i] {
        order.push_back(i);
      });
    }
  }
  ASSERT_EQ(t->hipDeviceSynchronize(), hipSuccess);
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

// The waiting stream lets others pass, so an event behind it on the same hardware queue is reached.
TEST_F(HostQueueFixed, AWaitForAnEventOnTheSameHardwareQueueEnds) {
  open_with("1", 2);
  const auto waits = stream();
  const auto chained = stream();
  const auto passes = stream();
  ASSERT_EQ(t->hipSetDevice(1), hipSuccess);
  const auto gate = stream();  // of another device, and so on another hardware queue
  const auto opened = event();
  ASSERT_EQ(t->hipSetDevice(0), hipSuccess);
  const auto reached = event();
  auto* p = upload(std::vector<std::uint8_t>(64, 0));
  Hold hold(gate);
  ASSERT_EQ(t->hipEventRecord(opened, gate), hipSuccess);
  ASSERT_EQ(t->hipStreamWaitEvent(waits, opened, 0), hipSuccess);
  ASSERT_EQ(t->hipEventRecord(reached, waits), hipSuccess);
  ASSERT_EQ(t->hipStreamWaitEvent(chained, reached, 0), hipSuccess);
  ASSERT_EQ(t->hipMemsetAsync(p, 3, 64, chained), hipSuccess);
  ASSERT_EQ(t->hipMemsetAsync(p, 5, 64, passes), hipSuccess);
  EXPECT_EQ(t->hipStreamSynchronize(passes), hipSuccess);
  EXPECT_EQ(t->hipStreamQuery(waits), hipErrorNotReady);
  EXPECT_EQ(t->hipStreamQuery(chained), hipErrorNotReady);
  EXPECT_EQ(download(p, 64)[0], 5);
  hold.open();
  EXPECT_EQ(t->hipStreamSynchronize(chained), hipSuccess);
  EXPECT_EQ(download(p, 64)[0], 3);
}

TEST_F(HostQueueFixed, ACallbackHoldsItsStreamAndNotItsHardwareQueue) {
  open_with("1");
  const auto s = stream();
  const auto other = stream();
  std::promise<void> open;
  auto opened = open.get_future();
  ASSERT_EQ(t->hipLaunchHostFunc(
                s, [](void* f) { static_cast<std::future<void>*>(f)->wait(); }, &opened),
            hipSuccess);
  auto* p = upload(std::vector<std::uint8_t>(64, 0));
  ASSERT_EQ(t->hipMemsetAsync(p, 5, 64, other), hipSuccess);
  EXPECT_EQ(t->hipStreamSynchronize(other), hipSuccess);
  EXPECT_EQ(t->hipStreamQuery(s), hipErrorNotReady);
  open.set_value();
  EXPECT_EQ(t->hipStreamSynchronize(s), hipSuccess);
}

TEST_F(HostQueueFixed, ADestroyedStreamCountsUntilItHasDrained) {
  open_with("2");
  const auto drains = stream();
  const auto* busy = hardware(drains);
  const auto other = stream();
  Hold hold(drains);
  ASSERT_EQ(t->hipStreamDestroy(drains), hipSuccess);
  ASSERT_EQ(t->hipStreamDestroy(other), hipSuccess);
  EXPECT_NE(hardware(stream()), busy);
}

TEST_F(HostQueueFixed, EightThreadsShareOneHardwareQueue) {
  open_with("1");
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      hipStream_t a = nullptr;
      hipStream_t b = nullptr;
      hipEvent_t e = nullptr;
      void* p = nullptr;
      t->hipStreamCreateWithFlags(&a, hipStreamNonBlocking);
      t->hipStreamCreateWithFlags(&b, hipStreamNonBlocking);
      t->hipEventCreateWithFlags(&e, hipEventDisableTiming);
      t->hipMalloc(&p, 1024);
      for (int round = 0; round < 30; ++round) {
        std::vector<std::uint8_t> out(1024);
        t->hipMemsetAsync(p, i + round, 1024, a);
        t->hipEventRecord(e, a);
        t->hipStreamWaitEvent(b, e, 0);
        t->hipMemcpyAsync(out.data(), p, 1024, hipMemcpyDeviceToHost, b);
        wrong += t->hipStreamSynchronize(b) != hipSuccess || out[1023] != i + round;
      }
      t->hipFree(p);
      t->hipEventDestroy(e);
      t->hipStreamDestroy(a);
      t->hipStreamDestroy(b);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
}

}  // namespace
}  // namespace hiplab::test
