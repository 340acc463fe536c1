// Streams, events and their order on the software device.
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <set>
#include <system_error>
#include <thread>

#include "driver/host/openblas.h"
#include "host_test_tools.h"

namespace hiplab::test {
namespace {

class HostStream : public HostTest {};

// While it lives the system starts no thread: a new one's stack, 2^47 bytes, fits no address space.
class NoThreads {
 public:
  NoThreads() {
    pthread_attr_t none;
    pthread_getattr_default_np(&none);
    pthread_attr_getstacksize(&none, &usual_);
    pthread_attr_setstacksize(&none, std::size_t{1} << 47);
    pthread_setattr_default_np(&none);
    pthread_attr_destroy(&none);
  }
  ~NoThreads() {
    pthread_attr_t usual;
    pthread_getattr_default_np(&usual);
    pthread_attr_setstacksize(&usual, usual_);
    pthread_setattr_default_np(&usual);
    pthread_attr_destroy(&usual);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  std::size_t usual_ = 0;
};

TEST_F(HostStream, CallsReturnBeforeTheirWorkHasRun) {
  const auto s = stream();
  auto* p = upload(std::vector<std::uint8_t>(64, 1));
  Hold hold(s);
  ASSERT_EQ(t->hipMemsetAsync(p, 7, 64, s), hipSuccess);
  EXPECT_EQ(t->hipStreamQuery(s), hipErrorNotReady);
  EXPECT_EQ(download(p, 64)[0], 1) << "the null stream saw work that is still held";
  hold.open();
  ASSERT_EQ(t->hipStreamSynchronize(s), hipSuccess);
  EXPECT_EQ(t->hipStreamQuery(s), hipSuccess);
  EXPECT_EQ(download(p, 64)[63], 7);
}

TEST_F(HostStream, StepsOfOneStreamRunInOrder) {
  const auto s = stream();
  auto* p = upload(std::vector<std::uint8_t>(4096, 0));
  auto* q = upload(std::vector<std::uint8_t>(4096, 0));
  for (int round = 1; round <= 200; ++round) {
    ASSERT_EQ(t->hipMemsetAsync(p, round, 4096, s), hipSuccess);
    ASSERT_EQ(t->hipMemcpyAsync(q, p, 4096, hipMemcpyDeviceToDevice, s), hipSuccess);
    ASSERT_EQ(t->hipMemsetAsync(p, 0, 4096, s), hipSuccess);
    if (round % 50 == 0) {
      const auto seen = download(q, 4096, s);
      EXPECT_EQ(std::set<std::uint8_t>(seen.begin(), seen.end()),
                std::set<std::uint8_t>{static_cast<std::uint8_t>(round)});
    }
  }
}

TEST_F(HostStream, StreamsRunSideBySide) {
  const auto held = stream();
  const auto free = stream();
  Hold hold(held);
  auto* p = upload(std::vector<std::uint8_t>(64, 0));
  ASSERT_EQ(t->hipMemsetAsync(p, 5, 64, free), hipSuccess);
  ASSERT_EQ(t->hipStreamSynchronize(free), hipSuccess);  // would wait for ever behind `held`
  EXPECT_EQ(t->hipStreamQuery(held), hipErrorNotReady);
  EXPECT_EQ(download(p, 1)[0], 5);
}

TEST_F(HostStream, AnEventOrdersTwoStreamsWithoutHoldingTheCaller) {
  const auto writer = stream();
  const auto reader = stream();
  const auto written = event(hipEventDisableTiming);
  auto* p = upload(std::vector<std::uint8_t>(64, 1));
  auto* q = upload(std::vector<std::uint8_t>(64, 0));
  Hold hold(writer);
  ASSERT_EQ(t->hipMemsetAsync(p, 9, 64, writer), hipSuccess);
  ASSERT_EQ(t->hipEventRecord(written, writer), hipSuccess);
  ASSERT_EQ(t->hipStreamWaitEvent(reader, written, 0), hipSuccess);
  ASSERT_EQ(t->hipMemcpyAsync(q, p, 64, hipMemcpyDeviceToDevice, reader), hipSuccess);
  EXPECT_EQ(t->hipEventQuery(written), hipErrorNotReady);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(t->hipStreamQuery(reader), hipErrorNotReady);
  hold.open();
  ASSERT_EQ(t->hipStreamSynchronize(reader), hipSuccess);
  EXPECT_EQ(t->hipEventQuery(written), hipSuccess);
  EXPECT_EQ(download(q, 64)[0], 9);
}

TEST_F(HostStream, AWaitIsForTheRecordingBeforeIt) {
  const auto first = stream();
  const auto second = stream();
  const auto waiter = stream();
  const auto e = event();
  ASSERT_EQ(t->hipEventRecord(e, first), hipSuccess);
  ASSERT_EQ(t->hipStreamWaitEvent(waiter, e, 0), hipSuccess);
  Hold hold(second);
  ASSERT_EQ(t->hipEventRecord(e, second), hipSuccess);  // a later recording, which is held
  EXPECT_EQ(t->hipStreamSynchronize(waiter), hipSuccess);
  EXPECT_EQ(t->hipEventQuery(e), hipErrorNotReady);
}

TEST_F(HostStream, AnEventNeverRecordedIsDoneAndHoldsNobody) {
  const auto s = stream();
  const auto e = event();
  EXPECT_EQ(t->hipEventQuery(e), hipSuccess);
  EXPECT_EQ(t->hipEventSynchronize(e), hipSuccess);
  EXPECT_EQ(t->hipStreamWaitEvent(s, e, 0), hipSuccess);
  EXPECT_EQ(t->hipStreamSynchronize(s), hipSuccess);
}

TEST_F(HostStream, EventSynchronizeWaitsForItsRecordingOnly) {
  const auto s = stream();
  const auto e = event();
  ASSERT_EQ(t->hipEventRecord(e, s), hipSuccess);
  ASSERT_EQ(t->hipStreamSynchronize(s), hipSuccess);
  Hold hold(s);
  EXPECT_EQ(t->hipEventSynchronize(e), hipSuccess);  // the recording is before the hold
  EXPECT_EQ(t->hipStreamQuery(s), hipErrorNotReady);
}

TEST_F(HostStream, ElapsedTimeSpansTheWorkBetween) {
  const auto s = stream();
  const auto start = event();
  const auto stop = event();
  const auto untimed = event(hipEventDisableTiming);
  float ms = -1.0f;
  EXPECT_EQ(t->hipEventElapsedTime(&ms, start, stop), hipErrorInvalidHandle) << "not recorded";
  {
    ASSERT_EQ(t->hipEventRecord(start, s), hipSuccess);
    Hold hold(s);
    ASSERT_EQ(t->hipEventRecord(stop, s), hipSuccess);
    ASSERT_EQ(t->hipEventRecord(untimed, s), hipSuccess);
    EXPECT_EQ(t->hipEventElapsedTime(&ms, start, stop), hipErrorNotReady);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ASSERT_EQ(t->hipStreamSynchronize(s), hipSuccess);
  ASSERT_EQ(t->hipEventElapsedTime(&ms, start, stop), hipSuccess);
  EXPECT_GE(ms, 5.0f);  // the hold lasted at least that long
  ASSERT_EQ(t->hipEventElapsedTime(&ms, stop, start), hipSuccess);
  EXPECT_LE(ms, -5.0f);
  EXPECT_EQ(t->hipEventElapsedTime(&ms, start, untimed), hipErrorInvalidHandle);
  EXPECT_EQ(t->hipEventElapsedTime(nullptr, start, stop), hipErrorInvalidValue);
}

TEST_F(HostStream, DestroyReturnsWhileWorkIsQueuedAndTheWorkStillRuns) {
  const auto s = stream();
  auto* p = upload(std::vector<std::uint8_t>(64, 0));
  const auto e = event();
  Hold hold(s);
  ASSERT_EQ(t->hipMemsetAsync(p, 3, 64, s), hipSuccess);
  ASSERT_EQ(t->hipEventRecord(e, s), hipSuccess);
  ASSERT_EQ(t->hipStreamDestroy(s), hipSuccess);
  EXPECT_EQ(t->hipEventQuery(e), hipErrorNotReady);
  EXPECT_EQ(t->hipStreamSynchronize(s), hipErrorInvalidHandle) << "the handle is dead";
  hold.open();
  ASSERT_EQ(t->hipDeviceSynchronize(), hipSuccess);  // waits for the destroyed stream's queue too
  EXPECT_EQ(t->hipEventQuery(e), hipSuccess);
  EXPECT_EQ(download(p, 64)[0], 3);
}

TEST_F(HostStream, NoStreamIsCapturing) {
  const auto s = stream();
  auto status = hipStreamCaptureStatusInvalidated;
  unsigned long long id = 99;
  ASSERT_EQ(t->hipStreamGetCaptureInfo(s, &status, &id), hipSuccess);
  EXPECT_EQ(status, hipStreamCaptureStatusNone);
  EXPECT_EQ(id, 0u);
  EXPECT_EQ(t->hipStreamGetCaptureInfo(s, nullptr, &id), hipErrorInvalidValue);
}

TEST_F(HostStream, WrongHandlesAndArgumentsAreErrors) {
  const auto s = stream();
  const auto e = event();
  int nothing = 0;
  auto* wrong_stream = reinterpret_cast<hipStream_t>(&nothing);
  auto* wrong_event = reinterpret_cast<hipEvent_t>(&nothing);
  EXPECT_EQ(t->hipStreamSynchronize(wrong_stream), hipErrorInvalidHandle);
  EXPECT_EQ(t->hipStreamQuery(wrong_stream), hipErrorInvalidHandle);
  EXPECT_EQ(t->hipStreamDestroy(wrong_stream), hipErrorInvalidHandle);
  EXPECT_EQ(t->hipStreamDestroy(nullptr), hipErrorInvalidHandle);
  EXPECT_EQ(t->hipStreamWaitEvent(s, wrong_event, 0), hipErrorInvalidHandle);
  EXPECT_EQ(t->hipStreamWaitEvent(s, e, 5), hipErrorInvalidValue);
  EXPECT_EQ(t->hipEventRecord(wrong_event, s), hipErrorInvalidHandle);
  EXPECT_EQ(t->hipEventRecord(e, wrong_stream), hipErrorInvalidHandle);
  EXPECT_EQ(t->hipEventQuery(nullptr), hipErrorInvalidHandle);
  EXPECT_EQ(t->hipEventDestroy(wrong_event), hipErrorInvalidHandle);
  EXPECT_EQ(t->hipStreamCreateWithFlags(nullptr, 0), hipErrorInvalidValue);
  hipStream_t out = nullptr;
  EXPECT_EQ(t->hipStreamCreateWithFlags(&out, 0x40), hipErrorInvalidValue);
  EXPECT_EQ(t->hipEventCreateWithFlags(nullptr, 0), hipErrorInvalidValue);
  EXPECT_STREQ(t->hipGetErrorName(hipErrorInvalidHandle), "hipErrorInvalidHandle");
  EXPECT_STREQ(t->hipGetErrorName(static_cast<hipError_t>(12345)), "hipErrorUnknown");
}

// The stream's thread starts at its first step. Refused, the call fails and nothing stays behind.
TEST_F(HostStream, AThreadThatTheSystemRefusesIsAnError) {
  host::OpenBlas::get();  // starts threads of its own when it is loaded
  const auto s = stream();
  const auto other = stream();
  const auto e = event();
  auto* p = upload(std::vector<std::uint8_t>(64, 1));
  auto* q = upload(std::vector<float>(64, 2.0f));
  auto* r = upload(std::vector<float>(64, 0.0f));
  std::vector<std::uint8_t> out(64);
  ASSERT_EQ(t->hipEventRecord(e, nullptr), hipSuccess);
  rocblas_handle blas = nullptr;
  ASSERT_EQ(t->rocblas_create_handle(&blas), rocblas_status_success);
  ASSERT_EQ(t->rocblas_set_stream(blas, s), rocblas_status_success);
  const float one = 1.0f;
  const float zero = 0.0f;
  const auto gemm = [&] {
    return t->rocblas_sgemm(blas, rocblas_operation_none, rocblas_operation_none, 8, 8, 8, &one, q,
                            8, q, 8, &zero, r, 8);
  };
  {
    const NoThreads limit;
    ASSERT_THROW(std::thread([] {}).join(), std::system_error) << "the limit does not hold";
    EXPECT_EQ(t->hipMemsetAsync(p, 7, 64, s), hipErrorOutOfMemory);
    EXPECT_EQ(t->hipMemcpyAsync(p, out.data(), 64, hipMemcpyHostToDevice, s), hipErrorOutOfMemory);
    EXPECT_EQ(t->hipMemcpyAsync(out.data(), p, 64, hipMemcpyDeviceToHost, s), hipErrorOutOfMemory);
    EXPECT_EQ(t->hipStreamWaitEvent(s, e, 0), hipErrorOutOfMemory);
    EXPECT_EQ(t->hipEventRecord(e, s), hipErrorOutOfMemory);
    EXPECT_EQ(gemm(), rocblas_status_memory_error);
    EXPECT_EQ(t->hipStreamQuery(s), hipSuccess) << "a step was left behind";
    EXPECT_EQ(t->hipStreamSynchronize(s), hipSuccess);
    EXPECT_EQ(t->hipDeviceSynchronize(), hipSuccess);
    EXPECT_EQ(t->hipStreamDestroy(other), hipSuccess);
  }
  EXPECT_EQ(download(p, 64, s)[63], 1) << "a refused step ran";
  ASSERT_EQ(gemm(), rocblas_status_success);
  EXPECT_EQ(download(r, 64, s)[63], 32.0f);
}

TEST_F(HostStream, ManyThreadsUseTheirOwnStreamsAndEvents) {
  constexpr int kThreads = 8;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round) {
        hipStream_t a = nullptr;
        hipStream_t b = nullptr;
        hipEvent_t e = nullptr;
        void* p = nullptr;
        t->hipStreamCreateWithFlags(&a, hipStreamNonBlocking);
        t->hipStreamCreateWithFlags(&b, hipStreamNonBlocking);
        t->hipEventCreateWithFlags(&e, hipEventDisableTiming);
        t->hipMalloc(&p, 1024);
        std::vector<std::uint8_t> out(1024);
        t->hipMemsetAsync(p, i + 1, 1024, a);
        t->hipEventRecord(e, a);
        t->hipStreamWaitEvent(b, e, 0);
        t->hipMemcpyAsync(out.data(), p, 1024, hipMemcpyDeviceToHost, b);
        if (t->hipStreamSynchronize(b) != hipSuccess || out[1023] != i + 1) ++wrong;
        t->hipFree(p);
        t->hipEventDestroy(e);
        t->hipStreamDestroy(a);
        t->hipStreamDestroy(b);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
  const auto live = live_objects();
  EXPECT_EQ(live.at("streams"), 0);
  EXPECT_EQ(live.at("events"), 0);
  EXPECT_EQ(live.at("memory_bytes"), 0);
}

class HostHandleFixed : public HostTest {};

// Measured on an H200: 62 of 64 stream handles and 63 of 64 event handles.
TEST_F(HostHandleFixed, ADestroyedHandlesValueIsTheNextOnes) {
  const auto kept = stream();
  const auto first = stream();
  const auto second = stream();
  ASSERT_EQ(t->hipStreamDestroy(first), hipSuccess);
  ASSERT_EQ(t->hipStreamDestroy(second), hipSuccess);
  EXPECT_EQ(stream(), second);
  EXPECT_EQ(stream(), first);
  EXPECT_NE(stream(), kept);
  const auto e = event();
  ASSERT_EQ(t->hipEventDestroy(e), hipSuccess);
  EXPECT_EQ(t->hipEventQuery(e), hipErrorInvalidHandle);
  EXPECT_EQ(event(), e);
  EXPECT_EQ(t->hipEventDestroy(e), hipSuccess);
  EXPECT_EQ(t->hipEventDestroy(e), hipErrorInvalidHandle);
}

TEST_F(HostHandleFixed, AReusedHandleIsANewStreamWhileTheOldOneDrains) {
  const auto s = stream();
  auto* p = upload(std::vector<std::uint8_t>(64, 0));
  auto* q = upload(std::vector<std::uint8_t>(64, 0));
  Hold hold(s);
  ASSERT_EQ(t->hipMemsetAsync(p, 1, 64, s), hipSuccess);
  ASSERT_EQ(t->hipStreamDestroy(s), hipSuccess);
  ASSERT_EQ(stream(), s);
  EXPECT_EQ(t->hipStreamQuery(s), hipSuccess);
  ASSERT_EQ(t->hipMemsetAsync(q, 2, 64, s), hipSuccess);
  EXPECT_EQ(t->hipStreamSynchronize(s), hipSuccess);
  EXPECT_EQ(download(q, 1)[0], 2);
  EXPECT_EQ(download(p, 1)[0], 0);
  hold.open();
  ASSERT_EQ(t->hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(download(p, 1)[0], 1);
}

TEST_F(HostHandleFixed, AReusedEventHandleIsANewEvent) {
  const auto s = stream();
  const auto e = event();
  Hold hold(s);
  ASSERT_EQ(t->hipEventRecord(e, s), hipSuccess);
  ASSERT_EQ(t->hipEventDestroy(e), hipSuccess);
  ASSERT_EQ(event(hipEventDisableTiming), e);
  EXPECT_EQ(t->hipEventQuery(e), hipSuccess) << "never recorded";
}

}  // namespace
}  // namespace hiplab::test
