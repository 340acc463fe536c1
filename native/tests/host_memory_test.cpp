// Memory, copies and devices of the software device.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "driver/error.h"
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

// These run under sanitizers, too.
class HostMemoryFixed : public HostTest {
 protected:
  ~HostMemoryFixed() override { unsetenv("HIPLAB_HOST_MEMORY_BYTES"); }
  void open_with(const char* bytes) {
    setenv("HIPLAB_HOST_MEMORY_BYTES", bytes, 1);
    open("splitk", 1);
  }
  void* host_allocate(std::size_t bytes) {
    void* p = nullptr;
    EXPECT_EQ(t->hipHostMalloc(&p, bytes, 0), hipSuccess);
    return p;
  }
  void* allocate_async(std::size_t bytes, hipStream_t s) {
    void* p = nullptr;
    EXPECT_EQ(t->hipMallocAsync(&p, bytes, s), hipSuccess);
    return p;
  }
};

TEST_F(HostMemoryFixed, TheLimitIsThatOfTheEnvironment) {
  open_with("1048576");
  size_t free = 0;
  size_t total = 0;
  ASSERT_EQ(t->hipMemGetInfo(&free, &total), hipSuccess);
  EXPECT_EQ(total, 1048576u);
  void* p = allocate(1048576);
  void* q = &free;
  EXPECT_EQ(t->hipMalloc(&q, 1), hipErrorOutOfMemory);
  EXPECT_EQ(q, nullptr);
  EXPECT_EQ(t->hipMallocAsync(&q, 1, nullptr), hipErrorOutOfMemory);
  void* pinned = host_allocate(1048576);  // its own limit
  EXPECT_EQ(t->hipHostMalloc(&q, 1, 0), hipErrorOutOfMemory);
  EXPECT_EQ(t->hipFree(p), hipSuccess);
  EXPECT_EQ(t->hipHostFree(pinned), hipSuccess);
  EXPECT_EQ(t->hipFree(allocate(1)), hipSuccess);
}

TEST_F(HostMemoryFixed, ALimitThatIsNoNumberIsAnError) {
  for (const char* wrong : {"0", "-1", "4G", "many", "99999999999999999999999"}) {
    try {
      open_with(wrong);
      ADD_FAILURE() << wrong;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(wrong), std::string::npos) << e.what();
    }
  }
  EXPECT_GT(host::device_bytes("", 1), host::device_bytes(nullptr, 2));
}

TEST_F(HostMemoryFixed, PinnedBlocksAreCountedAndNoDeviceMemory) {
  void* p = host_allocate(1000);
  EXPECT_EQ(live_objects().at("host_blocks"), 1);
  EXPECT_EQ(live_objects().at("host_bytes"), 1000);
  EXPECT_EQ(live_objects().at("memory_blocks"), 0);
  EXPECT_EQ(t->hipFree(p), hipErrorInvalidValue);
  EXPECT_EQ(t->hipMemsetAsync(p, 0, 8, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(t->hipHostFree(static_cast<char*>(p) + 1), hipErrorInvalidValue);
  EXPECT_EQ(t->hipHostFree(p), hipSuccess);
  EXPECT_EQ(t->hipHostFree(p), hipErrorInvalidValue);
  EXPECT_EQ(t->hipHostFree(nullptr), hipSuccess);
  EXPECT_EQ(t->hipHostMalloc(nullptr, 8, 0), hipErrorInvalidValue);
  EXPECT_EQ(t->hipHostMalloc(&p, 8, 0x100), hipErrorInvalidValue) << "no such flag";
  void* device = allocate(64);
  EXPECT_EQ(t->hipHostFree(device), hipErrorInvalidValue);
  EXPECT_EQ(live_objects().at("host_blocks"), 0);
}

TEST_F(HostMemoryFixed, CopiesWithPinnedMemoryReturnAtOnceAndReadLate) {
  const std::size_t count = host::machine().profile().staging_bytes.value + 1000;
  const auto s = stream();
  auto* in = static_cast<std::uint8_t*>(host_allocate(count));
  auto* out = static_cast<std::uint8_t*>(host_allocate(count));
  void* p = allocate(count);
  std::memset(in, 1, count);
  std::memset(out, 0, count);
  Hold hold(s);
  ASSERT_EQ(t->hipMemcpyAsync(p, in, count, hipMemcpyHostToDevice, s), hipSuccess);
  ASSERT_EQ(t->hipMemcpyAsync(out, p, count, hipMemcpyDeviceToHost, s), hipSuccess);
  EXPECT_EQ(out[count - 1], 0);
  in[count - 1] = 2;  // too early: the copy has not been made
  hold.open();
  ASSERT_EQ(t->hipStreamSynchronize(s), hipSuccess);
  EXPECT_EQ(out[0], 1);
  EXPECT_EQ(out[count - 1], 2);
  EXPECT_EQ(t->hipHostFree(in), hipSuccess);
  EXPECT_EQ(t->hipHostFree(out), hipSuccess);
}

TEST_F(HostMemoryFixed, FreeingPinnedMemoryWaitsForEveryDevice) {
  open("splitk", 2);
  void* p = host_allocate(64);
  ASSERT_EQ(t->hipSetDevice(1), hipSuccess);
  const auto s = stream();
  Hold hold(s);
  std::atomic<bool> done{false};
  std::thread freeing([&] {
    EXPECT_EQ(t->hipHostFree(p), hipSuccess);
    done = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_FALSE(done);
  hold.open();
  freeing.join();
}

TEST_F(HostMemoryFixed, SynchronousCopiesAndFillsAreDoneOnReturn) {
  std::vector<std::uint8_t> out(1000, 0);
  void* p = allocate(1000);
  ASSERT_EQ(t->hipMemset(p, 7, 1000), hipSuccess);
  ASSERT_EQ(t->hipMemcpy(out.data(), p, 1000, hipMemcpyDeviceToHost), hipSuccess);
  EXPECT_EQ(out[999], 7);
  EXPECT_EQ(t->hipMemset(p, 7, 1001), hipErrorInvalidValue);
  EXPECT_EQ(t->hipMemcpy(out.data(), p, 1001, hipMemcpyDeviceToHost), hipErrorInvalidValue);
}

TEST_F(HostMemoryFixed, AFreedBlockGoesToThePoolWhenItsStreamReachesTheFree) {
  const auto s = stream();
  const auto other = stream();
  void* p = allocate_async(4096, s);
  Hold hold(s);
  ASSERT_EQ(t->hipMemsetAsync(p, 1, 4096, s), hipSuccess);
  ASSERT_EQ(t->hipFreeAsync(p, s), hipSuccess);  // does not wait
  EXPECT_EQ(t->hipFreeAsync(p, s), hipErrorInvalidValue);
  EXPECT_EQ(t->hipFree(p), hipErrorInvalidValue);
  EXPECT_EQ(t->hipMemsetAsync(p, 1, 16, other), hipErrorInvalidValue) << "freed";
  void* q = allocate_async(4096, other);
  EXPECT_NE(q, p) << "handed out before its stream let go of it";
  hold.open();
  ASSERT_EQ(t->hipStreamSynchronize(s), hipSuccess);
  EXPECT_EQ(allocate_async(4096, other), p);
  EXPECT_EQ(t->hipFree(p), hipSuccess) << "hipFree takes such a block, too";
  EXPECT_EQ(t->hipFreeAsync(q, other), hipSuccess);
  EXPECT_EQ(t->hipFreeAsync(nullptr, other), hipSuccess);
  ASSERT_EQ(t->hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(live_objects().at("memory_blocks"), 0);
  EXPECT_EQ(live_objects().at("memory_bytes"), 0);
}

TEST_F(HostMemoryFixed, ThePoolGivesWayWhenMemoryRunsOut) {
  open_with("1048576");
  const auto s = stream();
  ASSERT_EQ(t->hipFreeAsync(allocate_async(1048576, s), s), hipSuccess);
  ASSERT_EQ(t->hipStreamSynchronize(s), hipSuccess);
  size_t free = 1;
  size_t total = 0;
  ASSERT_EQ(t->hipMemGetInfo(&free, &total), hipSuccess);
  EXPECT_EQ(free, 0u) << "the pool's";
  EXPECT_EQ(t->hipFree(allocate(1000)), hipSuccess);
  ASSERT_EQ(t->hipFreeAsync(allocate_async(1048576, s), s), hipSuccess);
  ASSERT_EQ(t->hipDeviceSynchronize(), hipSuccess);
  ASSERT_EQ(t->hipMemGetInfo(&free, &total), hipSuccess);
  EXPECT_EQ(free, total);
}

TEST_F(HostMemoryFixed, EightThreadsAllocateInStreamOrder) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      hipStream_t s = nullptr;
      t->hipStreamCreateWithFlags(&s, hipStreamNonBlocking);
      std::vector<std::vector<std::uint8_t>> out(30, std::vector<std::uint8_t>(1024));
      void* into = nullptr;
      t->hipHostMalloc(&into, 30 * 1024, 0);
      for (int round = 0; round < 30; ++round) {
        void* p = nullptr;
        t->hipMallocAsync(&p, 1024, s);
        t->hipMemsetAsync(p, 8 * round + i, 1024, s);
        t->hipMemcpyAsync(static_cast<char*>(into) + 1024 * round, p, 1024, hipMemcpyDeviceToHost,
                          s);
        t->hipFreeAsync(p, s);
      }
      t->hipStreamSynchronize(s);
      for (int round = 0; round < 30; ++round) {
        wrong += static_cast<std::uint8_t*>(into)[1024 * round + 1023] != 8 * round + i;
      }
      t->hipHostFree(into);
      t->hipStreamDestroy(s);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_EQ(live_objects().at("memory_blocks"), 0);
  EXPECT_EQ(live_objects().at("host_blocks"), 0);
}

TEST_F(HostMemoryFixed, AFreedBlockReadsAsNaNAndIsNotHandedOutAgain) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "AddressSanitizer keeps freed blocks itself";
#endif
  auto* p = static_cast<float*>(allocate(4096));
  ASSERT_EQ(t->hipMemset(p, 0, 4096), hipSuccess);
  ASSERT_EQ(t->hipFree(p), hipSuccess);
  for (int i = 0; i < 100; ++i) {
    void* q = allocate(4096);
    ASSERT_NE(q, p);
    ASSERT_EQ(t->hipFree(q), hipSuccess);
  }
  EXPECT_NE(p[0], p[0]);
  EXPECT_NE(p[1023], p[1023]);
}

TEST_F(HostMemoryFixed, TheLastErrorIsTheThreadsOwnAndTakenOnce) {
  const auto s = stream();
  Hold hold(s);
  t->hipGetLastError();  // whatever another test left behind
  EXPECT_EQ(t->hipGetLastError(), hipSuccess);
  EXPECT_EQ(t->hipMalloc(nullptr, 8), hipErrorInvalidValue);
  EXPECT_EQ(t->hipSetDevice(9), hipErrorInvalidDevice);
  EXPECT_EQ(t->hipStreamQuery(s), hipErrorNotReady);
  EXPECT_EQ(t->hipSetDevice(0), hipSuccess);
  std::thread([&] { EXPECT_EQ(t->hipGetLastError(), hipSuccess); }).join();
  EXPECT_EQ(t->hipGetLastError(), hipErrorInvalidDevice);
  EXPECT_EQ(t->hipGetLastError(), hipSuccess);
}

TEST_F(HostMemoryFixed, DeviceResetWaitsAndKeepsWhatIsTheCallers) {
  const auto s = stream();
  auto* p = upload(std::vector<std::uint8_t>(64, 1));
  ASSERT_EQ(t->hipMemsetAsync(p, 2, 64, s), hipSuccess);
  EXPECT_EQ(t->hipDeviceReset(), hipSuccess);
  EXPECT_EQ(t->hipStreamQuery(s), hipSuccess);
  EXPECT_EQ(download(p, 64)[63], 2);
}

// Streams, events and memory of several devices, whichever is current.
TEST_F(HostMemoryFixed, WorkGoesToTheDeviceOfItsStream) {
  open("splitk", 2);
  const auto s = stream();
  const auto e = event();
  auto* p = upload(std::vector<std::uint8_t>(64, 1));
  ASSERT_EQ(t->hipSetDevice(1), hipSuccess);
  const auto other = stream();
  const auto its = event();
  auto* q = upload(std::vector<std::uint8_t>(64, 9));
  Hold hold(s);
  EXPECT_EQ(t->hipMemsetAsync(p, 3, 64, s), hipSuccess);
  EXPECT_EQ(t->hipEventRecord(e, s), hipSuccess) << "both of device 0";
  EXPECT_EQ(t->hipEventRecord(its, s), hipErrorInvalidHandle);
  EXPECT_EQ(t->hipEventRecord(e, other), hipErrorInvalidHandle);
  EXPECT_EQ(t->hipEventRecord(e, nullptr), hipErrorInvalidHandle)
      << "the null stream is device 1's";
  EXPECT_EQ(t->hipStreamWaitEvent(other, e, 0), hipSuccess) << "devices may wait for each other";
  EXPECT_EQ(t->hipMemcpyAsync(q, p, 64, hipMemcpyDeviceToDevice, other), hipSuccess);
  EXPECT_EQ(t->hipStreamQuery(other), hipErrorNotReady);
  hold.open();
  ASSERT_EQ(t->hipDeviceSynchronize(), hipSuccess);  // device 1, which waits for device 0
  EXPECT_EQ(download(q, 64)[63], 3);
  float ms = 0;
  ASSERT_EQ(t->hipEventRecord(its, other), hipSuccess);
  ASSERT_EQ(t->hipEventSynchronize(its), hipSuccess);
  EXPECT_EQ(t->hipEventElapsedTime(&ms, e, its), hipErrorInvalidHandle) << "of two devices";
  ASSERT_EQ(t->hipMemcpy(p, q, 64, hipMemcpyDefault), hipSuccess) << "across devices";
  size_t free = 0;
  size_t total = 0;
  ASSERT_EQ(t->hipMemGetInfo(&free, &total), hipSuccess);
  EXPECT_EQ(total - free, 64u) << "device 1's own";
  void* r = nullptr;
  ASSERT_EQ(t->hipMallocAsync(&r, 128, s), hipSuccess);  // of device 0, as its stream
  ASSERT_EQ(t->hipMemGetInfo(&free, &total), hipSuccess);
  EXPECT_EQ(total - free, 64u);
  EXPECT_EQ(t->hipFreeAsync(r, s), hipSuccess);
}

}  // namespace
}  // namespace hiplab::test
