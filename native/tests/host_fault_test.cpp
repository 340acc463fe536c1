// The sticky fault of the software device. A fault is for the rest of the process, so each test
// runs in a process of its own, which says in its exit code how it went.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <thread>

#include "driver/host/fault.h"
#include "driver/host/openblas.h"
#include "host_blaslt_tools.h"

namespace hiplab::test {
namespace {

using namespace std::chrono_literals;

constexpr char kOneLine[] =
    "^hiplab: host device [01] faulted: [^\n]*; from now on every HIP call of this process fails "
    "with hipErrorIllegalAddress [(]700[)][^\n]*\n$";

// Ends the process when it is not so, with what was expected.
void must(bool so, const char* what) {
  if (so) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::_Exit(1);
}
void must_be_700(hipError_t status, const char* call) {
  if (status != hipErrorIllegalAddress) std::fprintf(stderr, "status %d of ", status);
  must(status == hipErrorIllegalAddress, call);
}

class HostFaultFixed : public HostTest {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    HostTest::SetUp();
  }
  static void fault() { host::fault(0, "injected by the test"); }
};

TEST_F(HostFaultFixed, EveryCallOfEveryThreadReturns700) {
  const auto body = [this] {
    const auto s = stream();
    const auto e = event();
    void* p = allocate(64);
    void* pinned = nullptr;
    t->hipHostMalloc(&pinned, 64, 0);
    fault();
    const auto calls = [&] {
      int number = 0;
      size_t bytes = 0;
      void* q = nullptr;
      hipStream_t stream = nullptr;
      hipEvent_t event = nullptr;
      float ms = 0;
      hipDeviceProp_tR0600 prop{};
      must_be_700(t->hipGetDeviceCount(&number), "hipGetDeviceCount");
      must_be_700(t->hipSetDevice(0), "hipSetDevice");
      must_be_700(t->hipGetDevice(&number), "hipGetDevice");
      must_be_700(t->hipGetDevicePropertiesR0600(&prop, 0), "hipGetDeviceProperties");
      must_be_700(t->hipRuntimeGetVersion(&number), "hipRuntimeGetVersion");
      must_be_700(t->hipDeviceSynchronize(), "hipDeviceSynchronize");
      must_be_700(t->hipMemGetInfo(&bytes, &bytes), "hipMemGetInfo");
      must_be_700(t->hipMalloc(&q, 64), "hipMalloc");
      must_be_700(t->hipFree(p), "hipFree");
      must_be_700(t->hipMallocAsync(&q, 64, s), "hipMallocAsync");
      must_be_700(t->hipFreeAsync(p, s), "hipFreeAsync");
      must_be_700(t->hipHostMalloc(&q, 64, 0), "hipHostMalloc");
      must_be_700(t->hipHostFree(pinned), "hipHostFree");
      must_be_700(t->hipMemcpy(p, pinned, 64, hipMemcpyDefault), "hipMemcpy");
      must_be_700(t->hipMemset(p, 0, 64), "hipMemset");
      must_be_700(t->hipMemcpyAsync(p, pinned, 64, hipMemcpyDefault, s), "hipMemcpyAsync");
      must_be_700(t->hipMemsetAsync(p, 0, 64, s), "hipMemsetAsync");
      must_be_700(t->hipStreamCreateWithFlags(&stream, 0), "hipStreamCreateWithFlags");
      must_be_700(t->hipStreamSynchronize(s), "hipStreamSynchronize");
      must_be_700(t->hipStreamQuery(s), "hipStreamQuery");
      must_be_700(t->hipStreamWaitEvent(s, e, 0), "hipStreamWaitEvent");
      must_be_700(t->hipStreamDestroy(s), "hipStreamDestroy");
      must_be_700(t->hipEventCreateWithFlags(&event, 0), "hipEventCreateWithFlags");
      must_be_700(t->hipEventRecord(e, s), "hipEventRecord");
      must_be_700(t->hipEventQuery(e), "hipEventQuery");
      must_be_700(t->hipEventSynchronize(e), "hipEventSynchronize");
      must_be_700(t->hipEventElapsedTime(&ms, e, e), "hipEventElapsedTime");
      must_be_700(t->hipEventDestroy(e), "hipEventDestroy");
      must_be_700(t->hipLaunchHostFunc(s, [](void*) {}, nullptr), "hipLaunchHostFunc");
      must_be_700(t->hipDeviceReset(), "hipDeviceReset");
      must_be_700(t->hipGetLastError(), "hipGetLastError");
      must_be_700(t->hipGetLastError(), "hipGetLastError again");
      must(std::string(t->hipGetErrorName(hipErrorIllegalAddress)) == "hipErrorIllegalAddress",
           "hipGetErrorName goes on");
    };
    calls();
    std::thread(calls).join();
    fault();  // a second one prints nothing
    std::exit(0);
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), kOneLine);
}

TEST_F(HostFaultFixed, EveryWaitEndsWith700) {
  const auto body = [this] {
    open("splitk", 2);
    const auto s = stream();
    const auto e = event();
    void* p = allocate(64);
    void* q = allocate(64);
    Hold hold(s);
    t->hipEventRecord(e, s);
    std::vector<std::uint8_t> out(64);
    std::vector<std::future<hipError_t>> waits;
    const auto wait = [&](auto call) { waits.push_back(std::async(std::launch::async, call)); };
    wait([&] { return t->hipStreamSynchronize(s); });
    wait([&] { return t->hipEventSynchronize(e); });
    wait([&] { return t->hipDeviceSynchronize(); });
    wait([&] { return t->hipFree(p); });
    wait([&] { return t->hipMemcpyAsync(out.data(), q, 64, hipMemcpyDeviceToHost, s); });
    std::this_thread::sleep_for(30ms);
    fault();  // `s` is still held
    for (auto& status : waits) must_be_700(status.get(), "a wait");
    std::_Exit(
        0);  // not std::exit: the hold would wait for nobody, but its thread is inside a step
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), kOneLine);
}

TEST_F(HostFaultFixed, QueuedWorkAndCallbacksNeverRunAndExitEnds) {
  const auto body = [this] {
    static std::atomic<int> ran{0};
    const auto count = [](void*) { ++ran; };
    const auto held = stream();
    const auto first = stream();
    const auto second = stream();
    auto* hold = new Hold(held);
    static std::promise<void> began;
    static std::promise<void> open;
    t->hipLaunchHostFunc(
        first,
        [](void*) {
          began.set_value();
          open.get_future().wait();
        },
        nullptr);
    began.get_future().wait();
    t->hipLaunchHostFunc(second, count, nullptr);  // waits for the thread of callbacks
    t->hipLaunchHostFunc(first, count, nullptr);   // waits for its stream
    t->hipLaunchHostFunc(held, count, nullptr);
    host::machine().queue(held)->enqueue([] { ++ran; });
    std::this_thread::sleep_for(20ms);
    fault();
    hold->open();
    open.set_value();
    std::this_thread::sleep_for(50ms);
    must(ran == 0, "nothing that was queued ran");
    std::exit(0);
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), kOneLine);
}

// hipFree waits for the streams of the block's own device only.
TEST_F(HostFaultFixed, ACopyOfMemoryThatIsGoneFaults) {
  const auto body = [this] {
    open("splitk", 2);
    void* p = allocate(64);
    t->hipSetDevice(1);
    void* q = allocate(64);
    const auto s = stream();
    Hold hold(s);
    must(t->hipMemcpyAsync(q, p, 64, hipMemcpyDeviceToDevice, s) == hipSuccess, "a copy");
    must(t->hipFree(p) == hipSuccess, "hipFree");
    hold.open();
    must_be_700(t->hipStreamSynchronize(s), "the wait for the copy");
    t->hipSetDevice(0);
    must_be_700(t->hipDeviceSynchronize(), "the other device, too");
    std::exit(0);
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "device 1 faulted: a copy read .* 64 bytes");
}

TEST_F(HostFaultFixed, BlasCallsFail) {
  const auto body = [this] {
    host::OpenBlas::get();
    rocblas_handle rocblas = nullptr;
    rocblas_handle other = nullptr;
    hipblasLtHandle_t handle = nullptr;
    hipblasLtHandle_t second = nullptr;
    t->rocblas_create_handle(&rocblas);
    t->hipblasLtCreate(&handle);
    Pipe pipe(t, HIP_R_32F, false, false, 8, 8, 8);
    auto* a = static_cast<float*>(allocate(256));
    const auto s = stream();
    t->rocblas_set_stream(rocblas, s);
    fault();
    const float one = 1.0f;
    const float zero = 0.0f;
    must(t->rocblas_sgemm(rocblas, rocblas_operation_none, rocblas_operation_none, 8, 8, 8, &one, a,
                          8, a, 8, &zero, a, 8) == rocblas_status_internal_error,
         "rocblas_sgemm");
    must(t->rocblas_create_handle(&other) == rocblas_status_internal_error, "rocblas_create");
    must(pipe.matmul(handle, a, a, a, nullptr, nullptr, 0, s) == HIPBLAS_STATUS_EXECUTION_FAILED,
         "hipblasLtMatmul");
    must(t->hipblasLtCreate(&second) == HIPBLAS_STATUS_INTERNAL_ERROR, "hipblasLtCreate");
    std::exit(0);
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), kOneLine);
}

}  // namespace
}  // namespace hiplab::test
