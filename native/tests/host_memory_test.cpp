// Memory, copies and devices of the software device.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "host_test_tools.h"

namespace hiplab::test {
namespace {

class HostMemory : public HostTest {};

// Runs hipFree on another thread and says whether it still waits after a while.
class Freeing {
 public:
  Freeing(const Table* t, void* p)
      : thread_([this, t, p] {
          status_ = t->hipFree(p);
          done_ = true;
        }) {}
  bool still_waits() {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    return !done_;
  }
  hipError_t join() {
    thread_.join();
    return status_;
  }

 private:
  std::atomic<bool> done_{false};
  hipError_t status_ = hipErrorUnknown;
  std::thread thread_;
};

TEST_F(HostMemory, BlocksAreAlignedAndCounted) {
  size_t free_before = 0;
  size_t free_after = 0;
  size_t total = 0;
  ASSERT_EQ(t->hipMemGetInfo(&free_before, &total), hipSuccess);
  void* p = allocate(1000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 256, 0u);
  ASSERT_EQ(t->hipMemGetInfo(&free_after, &total), hipSuccess);
  EXPECT_EQ(free_before - free_after, 1000u);
  EXPECT_EQ(live_objects().at("memory_blocks"), 1);
  EXPECT_EQ(live_objects().at("memory_bytes"), 1000);
  EXPECT_EQ(t->hipFree(p), hipSuccess);
  EXPECT_EQ(live_objects().at("memory_blocks"), 0);
}

TEST_F(HostMemory, MoreThanTheDeviceHasIsOutOfMemory) {
  size_t free = 0;
  size_t total = 0;
  ASSERT_EQ(t->hipMemGetInfo(&free, &total), hipSuccess);
  void* p = reinterpret_cast<void*>(1);
  EXPECT_EQ(t->hipMalloc(&p, total + 1), hipErrorOutOfMemory);
  EXPECT_EQ(t->hipMalloc(&p, SIZE_MAX), hipErrorOutOfMemory);
  EXPECT_EQ(t->hipMalloc(nullptr, 16), hipErrorInvalidValue);
  EXPECT_EQ(t->hipMalloc(&p, 0), hipSuccess);
  EXPECT_EQ(p, nullptr);
}

TEST_F(HostMemory, FreeingWhatIsNoBlockIsAnError) {
  auto* p = static_cast<std::uint8_t*>(allocate(512));
  int local = 0;
  EXPECT_EQ(t->hipFree(&local), hipErrorInvalidValue);
  EXPECT_EQ(t->hipFree(p + 256), hipErrorInvalidValue);
  EXPECT_EQ(t->hipFree(p), hipSuccess);
  EXPECT_EQ(t->hipFree(p), hipErrorInvalidValue);
  EXPECT_EQ(t->hipFree(nullptr), hipSuccess);
}

TEST_F(HostMemory, OfTwoFreesAtOnceOneIsAnError) {
  for (int round = 0; round < 50; ++round) {
    void* p = allocate(256);
    std::atomic<int> ok{0};
    std::thread other([&] { ok += t->hipFree(p) == hipSuccess; });
    ok += t->hipFree(p) == hipSuccess;
    other.join();
    ASSERT_EQ(ok.load(), 1);
  }
}

TEST_F(HostMemory, FreeWaitsForEveryStreamOfTheDevice) {
  const auto unrelated = stream();
  void* p = allocate(256);
  Hold hold(unrelated);
  Freeing freeing(t, p);
  EXPECT_TRUE(freeing.still_waits());
  hold.open();
  EXPECT_EQ(freeing.join(), hipSuccess);
}

TEST_F(HostMemory, FreeWaitsForADestroyedStreamsWork) {
  const auto s = stream();
  auto* p = allocate(256);
  Hold hold(s);
  ASSERT_EQ(t->hipMemsetAsync(p, 1, 256, s), hipSuccess);
  ASSERT_EQ(t->hipStreamDestroy(s), hipSuccess);
  Freeing freeing(t, p);
  EXPECT_TRUE(freeing.still_waits());
  hold.open();
  EXPECT_EQ(freeing.join(), hipSuccess);
}

TEST_F(HostMemory, FreeDoesNotWaitForAnotherDevice) {
  open("splitk", 2);
  void* p = allocate(256);
  ASSERT_EQ(t->hipSetDevice(1), hipSuccess);
  const auto other = stream();
  Hold hold(other);
  EXPECT_EQ(t->hipFree(p), hipSuccess);  // would wait for ever
}

TEST_F(HostMemory, ASmallCopyFromTheHostLeavesItsSourceFree) {
  const auto s = stream();
  auto* p = upload(std::vector<int>(16, 0));
  std::vector<int> source(16, 42);
  Hold hold(s);
  ASSERT_EQ(t->hipMemcpyAsync(p, source.data(), 64, hipMemcpyHostToDevice, s), hipSuccess);
  source.assign(16, -1);
  EXPECT_EQ(download(p, 1)[0], 0) << "the copy did not wait for its turn";
  hold.open();
  EXPECT_EQ(download(p, 16, s)[15], 42);
}

TEST_F(HostMemory, LargeCopiesKeepTheirOrderAndValues) {
  const std::size_t count = host::machine().profile().staging_bytes.value / sizeof(int) + 1000;
  const auto s = stream();
  std::vector<int> source(count);
  for (std::size_t i = 0; i < count; ++i) source[i] = static_cast<int>(i);
  auto* p = static_cast<int*>(allocate(count * sizeof(int)));
  ASSERT_EQ(t->hipMemsetAsync(p, 0xff, count * sizeof(int), s), hipSuccess);
  ASSERT_EQ(t->hipMemcpyAsync(p, source.data(), count * sizeof(int), hipMemcpyDefault, s),
            hipSuccess);
  const std::vector<int> expected = source;
  source.assign(count, -1);
  EXPECT_EQ(download(p, count, s), expected);
}

TEST_F(HostMemory, CopiesAreCheckedAgainstTheirKindAndTheBlock) {
  auto* p = static_cast<std::uint8_t*>(allocate(256));
  auto* q = static_cast<std::uint8_t*>(allocate(256));
  std::uint8_t local[512] = {};
  const auto copy = [&](void* dst, const void* src, size_t bytes, hipMemcpyKind kind) {
    return t->hipMemcpyAsync(dst, src, bytes, kind, nullptr);
  };
  EXPECT_EQ(copy(p, local, 257, hipMemcpyHostToDevice), hipErrorInvalidValue) << "past the end";
  EXPECT_EQ(copy(p + 200, local, 57, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_EQ(copy(local, p, 257, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  EXPECT_EQ(copy(local, local + 256, 16, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_EQ(copy(p, local, 16, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
  EXPECT_EQ(copy(p, q, 16, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  EXPECT_EQ(copy(nullptr, p, 16, hipMemcpyDeviceToHost), hipErrorInvalidValue);
  EXPECT_EQ(copy(p, nullptr, 16, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_EQ(copy(p, local, 16, static_cast<hipMemcpyKind>(9)), hipErrorInvalidMemcpyDirection);
  EXPECT_EQ(copy(nullptr, nullptr, 0, hipMemcpyDefault), hipSuccess);
  EXPECT_EQ(copy(p, q, 256, hipMemcpyDefault), hipSuccess);
  EXPECT_EQ(copy(p, local, 256, hipMemcpyDefault), hipSuccess);
  EXPECT_EQ(t->hipMemsetAsync(p, 0, 257, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(t->hipMemsetAsync(local, 0, 16, nullptr), hipErrorInvalidValue);
  ASSERT_EQ(t->hipFree(p), hipSuccess);
  EXPECT_EQ(t->hipMemsetAsync(p, 0, 16, nullptr), hipErrorInvalidValue) << "freed";
}

TEST_F(HostMemory, DevicesAreCountedAndCurrentPerThread) {
  open("gfx1151", 3);
  int count = 0;
  ASSERT_EQ(t->hipGetDeviceCount(&count), hipSuccess);
  EXPECT_EQ(count, 3);
  EXPECT_EQ(t->hipSetDevice(3), hipErrorInvalidDevice);
  EXPECT_EQ(t->hipSetDevice(-1), hipErrorInvalidDevice);
  ASSERT_EQ(t->hipSetDevice(2), hipSuccess);
  int other = -1;
  std::thread([&] { t->hipGetDevice(&other); }).join();
  EXPECT_EQ(other, 0);
  int mine = -1;
  ASSERT_EQ(t->hipGetDevice(&mine), hipSuccess);
  EXPECT_EQ(mine, 2);
  hipDeviceProp_tR0600 prop{};
  ASSERT_EQ(t->hipGetDevicePropertiesR0600(&prop, 1), hipSuccess);
  EXPECT_STREQ(prop.gcnArchName, "gfx1151");
  EXPECT_EQ(prop.warpSize, 32);
  EXPECT_GT(prop.totalGlobalMem, 0u);
  EXPECT_EQ(t->hipGetDevicePropertiesR0600(&prop, 7), hipErrorInvalidDevice);
}

TEST_F(HostMemory, AnEventBelongsToItsDevice) {
  open("splitk", 2);
  const auto e = event();
  ASSERT_EQ(t->hipSetDevice(1), hipSuccess);
  const auto s = stream();
  EXPECT_EQ(t->hipEventRecord(e, s), hipErrorInvalidHandle);
}

}  // namespace
}  // namespace hiplab::test
