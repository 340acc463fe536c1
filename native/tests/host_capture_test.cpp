// Stream captures of the software device: which calls they refuse, what that does to them, and how
// streams join and end them.
#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "host_test_tools.h"

namespace hiplab::test {
namespace {

constexpr auto kGlobal = hipStreamCaptureModeGlobal;
constexpr auto kThreadLocal = hipStreamCaptureModeThreadLocal;
constexpr auto kRelaxed = hipStreamCaptureModeRelaxed;
constexpr hipStreamCaptureMode kModes[] = {kGlobal, kThreadLocal, kRelaxed};

// Runs the body on a thread of its own and waits for it.
void on_thread(const std::function<void()>& body) { std::thread(body).join(); }

class HostCaptureFixed : public HostTest {
 protected:
  void SetUp() override {
    HostTest::SetUp();
    capturing_ = stream();
    other_ = stream();
    recorded_ = event();
    ASSERT_EQ(t->hipEventRecord(recorded_, other_), hipSuccess);
    ASSERT_EQ(t->hipStreamSynchronize(other_), hipSuccess);
  }

  void begin(hipStream_t s, hipStreamCaptureMode mode = kGlobal) {
    ASSERT_EQ(t->hipStreamBeginCapture(s, mode), hipSuccess);
  }
  // Ends the capture and destroys its graph, if there is one.
  hipError_t end(hipStream_t s) {
    hipGraph_t graph = nullptr;
    const hipError_t ended = t->hipStreamEndCapture(s, &graph);
    EXPECT_EQ(graph != nullptr, ended == hipSuccess);
    if (graph != nullptr) {
      EXPECT_EQ(t->hipGraphDestroy(graph), hipSuccess);
    }
    return ended;
  }
  hipStreamCaptureStatus status(hipStream_t s, unsigned long long* id = nullptr) {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    EXPECT_EQ(t->hipStreamGetCaptureInfo(s, &status, id), hipSuccess);
    return status;
  }
  hipStreamCaptureMode exchange(hipStreamCaptureMode mode) {
    EXPECT_EQ(t->hipThreadExchangeStreamCaptureMode(&mode), hipSuccess);
    return mode;
  }

  // The calls that the modes restrict, none of which touches the capturing stream.
  struct UnsafeCall {
    std::string name;
    std::function<hipError_t()> call;
  };
  std::vector<UnsafeCall> unsafe_calls() {
    return {
        {"hipStreamQuery", [this] { return t->hipStreamQuery(other_); }},
        {"hipStreamSynchronize", [this] { return t->hipStreamSynchronize(other_); }},
        {"hipEventQuery", [this] { return t->hipEventQuery(recorded_); }},
        {"hipEventSynchronize", [this] { return t->hipEventSynchronize(recorded_); }},
        {"hipMalloc",
         [this] {
           void* p = nullptr;
           const hipError_t status = t->hipMalloc(&p, 64);
           if (p != nullptr) memory_.push_back(p);
           return status;
         }},
        {"hipFree", [this] { return t->hipFree(nullptr); }},
    };
  }
  void TearDown() override {
    exchange(kGlobal);
    for (void* p : memory_) EXPECT_EQ(t->hipFree(p), hipSuccess);
  }

  hipStream_t capturing_ = nullptr;
  hipStream_t other_ = nullptr;
  hipEvent_t recorded_ = nullptr;
  std::vector<void*> memory_;
};

TEST_F(HostCaptureFixed, StatusAndIdAreUniqueAndGoneAfterwards) {
  unsigned long long id = 7;
  EXPECT_EQ(status(capturing_, &id), hipStreamCaptureStatusNone);
  EXPECT_EQ(id, 0u);
  begin(capturing_);
  unsigned long long first = 0;
  EXPECT_EQ(status(capturing_, &first), hipStreamCaptureStatusActive);
  EXPECT_NE(first, 0u);
  EXPECT_EQ(status(other_, &id), hipStreamCaptureStatusNone);
  EXPECT_EQ(id, 0u);
  EXPECT_EQ(end(capturing_), hipSuccess);
  EXPECT_EQ(status(capturing_, &id), hipStreamCaptureStatusNone);
  EXPECT_EQ(id, 0u);
  begin(capturing_);
  unsigned long long second = 0;
  status(capturing_, &second);
  EXPECT_NE(second, first);
  EXPECT_EQ(end(capturing_), hipSuccess);
}

TEST_F(HostCaptureFixed, WrongArgumentsAreRefused) {
  hipGraph_t graph = nullptr;
  EXPECT_EQ(t->hipStreamBeginCapture(nullptr, kGlobal), hipErrorStreamCaptureUnsupported);
  EXPECT_EQ(t->hipStreamBeginCapture(capturing_, static_cast<hipStreamCaptureMode>(3)),
            hipErrorInvalidValue);
  EXPECT_EQ(t->hipStreamEndCapture(capturing_, &graph), hipErrorIllegalState);
  EXPECT_EQ(t->hipStreamEndCapture(nullptr, &graph), hipErrorIllegalState);
  EXPECT_EQ(t->hipThreadExchangeStreamCaptureMode(nullptr), hipErrorInvalidValue);
  begin(capturing_);
  EXPECT_EQ(t->hipStreamBeginCapture(capturing_, kGlobal), hipErrorIllegalState);
  EXPECT_EQ(t->hipStreamEndCapture(capturing_, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(end(capturing_), hipSuccess);
}

// Measured on an H200: in Global and ThreadLocal mode the capturing thread's own calls return 900
// and EndCapture 901; in Relaxed mode all succeed.
TEST_F(HostCaptureFixed, UnsafeCallsOfTheCapturingThread) {
  for (const auto mode : kModes) {
    for (const auto& unsafe : unsafe_calls()) {
      SCOPED_TRACE(unsafe.name + " in mode " + std::to_string(mode));
      begin(capturing_, mode);
      const bool refused = mode != kRelaxed;
      EXPECT_EQ(unsafe.call(), refused ? hipErrorStreamCaptureUnsupported : hipSuccess);
      EXPECT_EQ(status(capturing_),
                refused ? hipStreamCaptureStatusInvalidated : hipStreamCaptureStatusActive);
      EXPECT_EQ(end(capturing_), refused ? hipErrorStreamCaptureInvalidated : hipSuccess);
    }
  }
}

// Measured on an H200: another thread's calls return 900 and kill a Global capture, and succeed in
// ThreadLocal and Relaxed mode.
TEST_F(HostCaptureFixed, UnsafeCallsOfAnotherThread) {
  for (const auto mode : kModes) {
    for (const auto& unsafe : unsafe_calls()) {
      SCOPED_TRACE(unsafe.name + " in mode " + std::to_string(mode));
      begin(capturing_, mode);
      const bool refused = mode == kGlobal;
      on_thread([&] {
        EXPECT_EQ(unsafe.call(), refused ? hipErrorStreamCaptureUnsupported : hipSuccess);
      });
      EXPECT_EQ(end(capturing_), refused ? hipErrorStreamCaptureInvalidated : hipSuccess);
    }
  }
}

// Measured on an H200: a relaxed guard around the call succeeds in every mode. A thread whose mode
// is ThreadLocal heeds its own captures alone (rocm-systems 2177).
TEST_F(HostCaptureFixed, TheThreadsModeDecidesWhichCapturesItsCallsHeed) {
  for (const auto mode : kModes) {
    for (const auto& unsafe : unsafe_calls()) {
      SCOPED_TRACE(unsafe.name + " in mode " + std::to_string(mode));
      begin(capturing_, mode);
      EXPECT_EQ(exchange(kRelaxed), kGlobal);
      EXPECT_EQ(unsafe.call(), hipSuccess);
      EXPECT_EQ(exchange(kGlobal), kRelaxed);
      on_thread([&] {
        EXPECT_EQ(exchange(kThreadLocal), kGlobal) << "each thread has its own mode";
        EXPECT_EQ(unsafe.call(), hipSuccess);
      });
      EXPECT_EQ(end(capturing_), hipSuccess);
    }
  }
}

TEST_F(HostCaptureFixed, AnUnsafeCallKillsTheCapturesThatItEndangersAndNoOther) {
  const hipStream_t relaxed = stream();
  begin(capturing_, kGlobal);
  begin(relaxed, kRelaxed);
  std::atomic<bool> begun{false};
  std::atomic<bool> done{false};
  hipError_t of_other_thread = hipErrorUnknown;
  std::thread local([&] {
    begin(other_, kThreadLocal);
    begun = true;
    while (!done) std::this_thread::yield();
    of_other_thread = end(other_);
  });
  while (!begun) std::this_thread::yield();
  void* p = nullptr;
  EXPECT_EQ(t->hipMalloc(&p, 64), hipErrorStreamCaptureUnsupported);
  done = true;
  local.join();
  EXPECT_EQ(of_other_thread, hipSuccess);
  EXPECT_EQ(end(relaxed), hipSuccess);
  EXPECT_EQ(end(capturing_), hipErrorStreamCaptureInvalidated);
}

// MIOpen 12265: a synchronous copy is refused during any capture and every capture is lost; the
// HIP runtime's public source says the same of hipDeviceSynchronize.
TEST_F(HostCaptureFixed, CallsThatAnyCaptureRefuses) {
  const hipStream_t second = stream();
  const auto refuse = [&](hipError_t expected, const std::function<hipError_t()>& call) {
    begin(capturing_, kRelaxed);
    begin(second, kThreadLocal);
    on_thread([&] {
      exchange(kRelaxed);
      EXPECT_EQ(call(), expected);
    });
    EXPECT_EQ(end(capturing_), hipErrorStreamCaptureInvalidated);
    EXPECT_EQ(end(second), hipErrorStreamCaptureInvalidated);
  };
  refuse(hipErrorStreamCaptureUnsupported, [&] { return t->hipDeviceSynchronize(); });
  if (t->hipMemset != nullptr) {
    void* p = allocate(64);
    refuse(hipErrorStreamCaptureImplicit, [&] { return t->hipMemset(p, 0, 64); });
    std::vector<char> out(64);
    refuse(hipErrorStreamCaptureImplicit,
           [&] { return t->hipMemcpy(out.data(), p, 64, hipMemcpyDeviceToHost); });
    EXPECT_EQ(t->hipFree(p), hipSuccess);
  }
}

TEST_F(HostCaptureFixed, TheCapturingStreamItselfCannotBeQueriedOrWaitedForInAnyMode) {
  for (const auto mode : kModes) {
    exchange(kRelaxed);
    begin(capturing_, mode);
    EXPECT_EQ(t->hipStreamQuery(capturing_), hipErrorStreamCaptureUnsupported);
    EXPECT_EQ(end(capturing_), hipErrorStreamCaptureInvalidated);
    begin(capturing_, mode);
    EXPECT_EQ(t->hipStreamSynchronize(capturing_), hipErrorStreamCaptureUnsupported);
    EXPECT_EQ(end(capturing_), hipErrorStreamCaptureInvalidated);
  }
}

TEST_F(HostCaptureFixed, AnEventRecordedInACaptureCannotBeQueriedBeforeItEnds) {
  exchange(kRelaxed);
  const hipEvent_t e = event();
  begin(capturing_, kRelaxed);
  ASSERT_EQ(t->hipEventRecord(e, capturing_), hipSuccess);
  EXPECT_EQ(t->hipEventQuery(e), hipErrorCapturedEvent);
  EXPECT_EQ(end(capturing_), hipErrorStreamCaptureInvalidated);
  EXPECT_EQ(t->hipEventQuery(e), hipSuccess) << "as it was before";
  begin(capturing_, kRelaxed);
  ASSERT_EQ(t->hipEventRecord(e, capturing_), hipSuccess);
  EXPECT_EQ(t->hipEventSynchronize(e), hipErrorCapturedEvent);
  EXPECT_EQ(end(capturing_), hipErrorStreamCaptureInvalidated);
  begin(capturing_, kRelaxed);
  ASSERT_EQ(t->hipEventRecord(e, capturing_), hipSuccess);
  ASSERT_EQ(t->hipEventRecord(e, other_), hipSuccess);
  EXPECT_EQ(t->hipEventSynchronize(e), hipSuccess) << "last recorded outside of the capture";
  EXPECT_EQ(end(capturing_), hipSuccess);
}

TEST_F(HostCaptureFixed, WorkOnAnInvalidatedStreamIsRefusedUntilTheCaptureEnds) {
  void* p = allocate(64);
  begin(capturing_);
  EXPECT_EQ(t->hipStreamQuery(other_), hipErrorStreamCaptureUnsupported);
  EXPECT_EQ(t->hipMemsetAsync(p, 1, 64, capturing_), hipErrorStreamCaptureInvalidated);
  EXPECT_EQ(t->hipEventRecord(recorded_, capturing_), hipErrorStreamCaptureInvalidated);
  EXPECT_EQ(t->hipStreamWaitEvent(capturing_, recorded_, 0), hipErrorStreamCaptureInvalidated);
  EXPECT_EQ(t->hipStreamQuery(other_), hipSuccess) << "a lost capture endangers nothing";
  EXPECT_EQ(end(capturing_), hipErrorStreamCaptureInvalidated);
  EXPECT_EQ(t->hipMemsetAsync(p, 1, 64, capturing_), hipSuccess);
  EXPECT_EQ(t->hipStreamSynchronize(capturing_), hipSuccess);
  EXPECT_EQ(t->hipFree(p), hipSuccess);
}

TEST_F(HostCaptureFixed, OnlyTheBeginningThreadEndsACaptureUnlessRelaxed) {
  for (const auto mode : kModes) {
    begin(capturing_, mode);
    on_thread([&] {
      EXPECT_EQ(end(capturing_), mode == kRelaxed ? hipSuccess : hipErrorStreamCaptureWrongThread);
    });
    if (mode != kRelaxed) {
      EXPECT_EQ(end(capturing_), hipSuccess) << "the capture went on";
    }
  }
}

TEST_F(HostCaptureFixed, AForkIsDrawnInAndEndsWithTheStreamThatBegan) {
  void* p = allocate(64);
  const hipEvent_t fork = event();
  const hipEvent_t join = event();
  begin(capturing_);
  ASSERT_EQ(t->hipEventRecord(fork, capturing_), hipSuccess);
  ASSERT_EQ(t->hipStreamWaitEvent(other_, fork, 0), hipSuccess);
  unsigned long long first = 0;
  unsigned long long second = 0;
  EXPECT_EQ(status(capturing_, &first), hipStreamCaptureStatusActive);
  EXPECT_EQ(status(other_, &second), hipStreamCaptureStatusActive);
  EXPECT_EQ(first, second);
  ASSERT_EQ(t->hipMemsetAsync(p, 1, 64, other_), hipSuccess);
  EXPECT_EQ(end(other_), hipErrorStreamCaptureUnmatched);
  ASSERT_EQ(t->hipEventRecord(join, other_), hipSuccess);
  ASSERT_EQ(t->hipStreamWaitEvent(capturing_, join, 0), hipSuccess);
  EXPECT_EQ(end(capturing_), hipSuccess);
  EXPECT_EQ(status(other_), hipStreamCaptureStatusNone);
  EXPECT_EQ(t->hipFree(p), hipSuccess);
}

TEST_F(HostCaptureFixed, AForkThatIsNotJoinedEndsTheCaptureWithoutAGraph) {
  void* p = allocate(64);
  const hipEvent_t fork = event();
  begin(capturing_);
  ASSERT_EQ(t->hipEventRecord(fork, capturing_), hipSuccess);
  ASSERT_EQ(t->hipStreamWaitEvent(other_, fork, 0), hipSuccess);
  ASSERT_EQ(t->hipMemsetAsync(p, 1, 64, other_), hipSuccess);
  EXPECT_EQ(end(capturing_), hipErrorStreamCaptureUnjoined);
  EXPECT_EQ(status(capturing_), hipStreamCaptureStatusNone);
  EXPECT_EQ(status(other_), hipStreamCaptureStatusNone);
  EXPECT_EQ(t->hipFree(p), hipSuccess);
}

TEST_F(HostCaptureFixed, TwoCapturesCannotBeMerged) {
  const hipEvent_t e = event();
  begin(capturing_);
  begin(other_);
  ASSERT_EQ(t->hipEventRecord(e, capturing_), hipSuccess);
  EXPECT_EQ(t->hipStreamWaitEvent(other_, e, 0), hipErrorStreamCaptureMerge);
  EXPECT_EQ(end(capturing_), hipErrorStreamCaptureInvalidated);
  EXPECT_EQ(end(other_), hipErrorStreamCaptureInvalidated);
}

TEST_F(HostCaptureFixed, ACaptureCannotWaitForWorkOutsideOfIt) {
  begin(capturing_);
  EXPECT_EQ(t->hipStreamWaitEvent(capturing_, recorded_, 0), hipErrorStreamCaptureIsolation);
  EXPECT_EQ(end(capturing_), hipErrorStreamCaptureInvalidated);
}

TEST_F(HostCaptureFixed, TheNullStreamIsNotDrawnIn) {
  const hipEvent_t e = event();
  begin(capturing_);
  ASSERT_EQ(t->hipEventRecord(e, capturing_), hipSuccess);
  EXPECT_NE(t->hipStreamWaitEvent(nullptr, e, 0), hipSuccess);
  EXPECT_EQ(status(nullptr), hipStreamCaptureStatusNone);
  EXPECT_EQ(end(capturing_), hipSuccess);
}

TEST_F(HostCaptureFixed, DestroyingTheStreamThatBeganEndsItsCapture) {
  const hipEvent_t fork = event();
  begin(capturing_);
  ASSERT_EQ(t->hipEventRecord(fork, capturing_), hipSuccess);
  ASSERT_EQ(t->hipStreamWaitEvent(other_, fork, 0), hipSuccess);
  EXPECT_EQ(t->hipStreamDestroy(capturing_), hipSuccess);
  EXPECT_EQ(status(other_), hipStreamCaptureStatusNone);
  EXPECT_EQ(t->hipStreamQuery(other_), hipSuccess) << "nothing captures";
}

TEST_F(HostCaptureFixed, DestroyingADrawnInStreamLeavesItsWorkUnjoined) {
  void* p = allocate(64);
  const hipEvent_t fork = event();
  begin(capturing_);
  ASSERT_EQ(t->hipEventRecord(fork, capturing_), hipSuccess);
  ASSERT_EQ(t->hipStreamWaitEvent(other_, fork, 0), hipSuccess);
  ASSERT_EQ(t->hipMemsetAsync(p, 1, 64, other_), hipSuccess);
  EXPECT_EQ(t->hipStreamDestroy(other_), hipSuccess);
  EXPECT_EQ(end(capturing_), hipErrorStreamCaptureUnjoined);
  EXPECT_EQ(t->hipFree(p), hipSuccess);
}

TEST_F(HostCaptureFixed, BlasHandlesAreNotMadeDuringACapture) {
  begin(capturing_, kRelaxed);
  hipblasLtHandle_t lt = nullptr;
  EXPECT_EQ(t->hipblasLtCreate(&lt), HIPBLAS_STATUS_INTERNAL_ERROR);
  EXPECT_EQ(lt, nullptr);
  EXPECT_EQ(end(capturing_), hipErrorStreamCaptureInvalidated);
  begin(capturing_, kGlobal);
  rocblas_handle rb = nullptr;
  EXPECT_EQ(t->rocblas_create_handle(&rb), rocblas_status_internal_error);
  EXPECT_EQ(rb, nullptr);
  EXPECT_EQ(end(capturing_), hipErrorStreamCaptureInvalidated);
  EXPECT_EQ(t->hipblasLtCreate(&lt), HIPBLAS_STATUS_SUCCESS);
  EXPECT_EQ(t->rocblas_create_handle(&rb), rocblas_status_success);
  EXPECT_EQ(t->hipblasLtDestroy(lt), HIPBLAS_STATUS_SUCCESS);
  EXPECT_EQ(t->rocblas_destroy_handle(rb), rocblas_status_success);
}

// Eight threads, each with its own stream and ThreadLocal captures: nobody disturbs anybody.
TEST_F(HostCaptureFixed, ThreadsCaptureAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      hipStream_t s = nullptr;
      void* p = nullptr;
      hipStreamCaptureMode local = kThreadLocal;
      t->hipThreadExchangeStreamCaptureMode(&local);
      t->hipStreamCreateWithFlags(&s, hipStreamNonBlocking);
      t->hipMalloc(&p, 64);
      for (int round = 0; round < 33; ++round) {
        hipGraph_t graph = nullptr;
        wrong += t->hipStreamBeginCapture(s, kThreadLocal) != hipSuccess;
        wrong += t->hipMemsetAsync(p, round, 64, s) != hipSuccess;
        wrong += t->hipStreamEndCapture(s, &graph) != hipSuccess;
        wrong += t->hipGraphDestroy(graph) != hipSuccess;
        wrong += t->hipStreamSynchronize(s) != hipSuccess;
      }
      wrong += t->hipFree(p) != hipSuccess;
      t->hipStreamDestroy(s);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(host::machine().live_objects()["graphs"], 0);
}

}  // namespace
}  // namespace hiplab::test
