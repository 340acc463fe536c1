// Raw calls beside a backend: one provider, the first calls of many threads, and captures that keep
// hipblasLtCreate out whoever began them.
#include <atomic>
#include <cstdlib>
#include <future>
#include <string>
#include <vector>

#include "bindings_tools.h"
#include "raw/hip.h"
#include "raw/hipblaslt.h"
#include "raw/rocblas.h"

namespace hiplab::bindings {
namespace {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

// Before the others: the choice is made once, and a refusal is none.
TEST(BindingsRaw, WithoutLibrariesTheLibraryIsNamedAndNotTheDevice) {
  setenv("HIPLAB_ROCM_PATH", "/nowhere/rocm", 1);
  setRawOptions("driver=rocm\n");
  const std::string said = message_of([] {
    int devices = 0;
    (void)hipGetDeviceCount(&devices);
  });
  EXPECT_NE(said.find("libamdhip64 not found (tried /nowhere/rocm/lib"), std::string::npos) << said;
  EXPECT_NE(said.find("HIPLAB_ROCM_PATH"), std::string::npos) << said;
  EXPECT_EQ(said.find("/dev/kfd"), std::string::npos) << said;
}

class BindingsRawFixed : public OneStream {
 protected:
  void SetUp() override {
    setRawOptions("driver=host\nprofile=splitk\nhost_devices=1\n");
    OneStream::SetUp();
  }
};

TEST_F(BindingsRawFixed, TheFirstCallsOfManyThreadsChooseOneProvider) {
  std::vector<std::future<bool>> threads;
  for (int i = 0; i < 8; ++i) {
    threads.push_back(std::async(std::launch::async, [] {
      void* block = nullptr;
      return hipMalloc(&block, 256) == hipSuccess && hipMemset(block, 1, 256) == hipSuccess &&
             hipFree(block) == hipSuccess;
    }));
  }
  for (auto& thread : threads) EXPECT_TRUE(thread.get());
  EXPECT_EQ(describeRaw(), describe(backend_));
  setRawOptions("driver=rocm\n");
  EXPECT_EQ(describeRaw(), describe(backend_)) << "chosen once";
}

TEST_F(BindingsRawFixed, NoHandleIsCreatedInABackendsCapture) {
  hipblasLtHandle_t handle = nullptr;
  beginCapture(stream_, 1);
  EXPECT_EQ(hipblasLtCreate(&handle), HIPBLAS_STATUS_INTERNAL_ERROR);
  EXPECT_EQ(captureStatus(stream_), 1) << "the call was not made: the capture is whole";
  destroyGraph(endCapture(stream_));
  ASSERT_EQ(hipblasLtCreate(&handle), HIPBLAS_STATUS_SUCCESS);
  EXPECT_EQ(hipblasLtDestroy(handle), HIPBLAS_STATUS_SUCCESS);
}

TEST_F(BindingsRawFixed, ARefusedEndLeavesTheCaptureOpen) {
  hipStream_t stream = nullptr;
  hipStream_t other = nullptr;
  ASSERT_EQ(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking), hipSuccess);
  ASSERT_EQ(hipStreamCreateWithFlags(&other, hipStreamNonBlocking), hipSuccess);
  hipGraph_t graph = nullptr;
  hipblasLtHandle_t handle = nullptr;
  ASSERT_EQ(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal), hipSuccess);
  EXPECT_NE(hipStreamEndCapture(other, &graph), hipSuccess);
  const auto elsewhere =
      std::async(std::launch::async, [&] { return hipStreamEndCapture(stream, &graph); }).get();
  EXPECT_EQ(elsewhere, hipErrorStreamCaptureWrongThread);
  EXPECT_EQ(hipblasLtCreate(&handle), HIPBLAS_STATUS_INTERNAL_ERROR);
  EXPECT_EQ(hipStreamEndCapture(stream, &graph), hipSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
  ASSERT_EQ(hipblasLtCreate(&handle), HIPBLAS_STATUS_SUCCESS);
  EXPECT_EQ(hipblasLtDestroy(handle), HIPBLAS_STATUS_SUCCESS);
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
  EXPECT_EQ(hipStreamDestroy(other), hipSuccess);
}

TEST_F(BindingsRawFixed, StatusesHaveNamesByTheirLibrary) {
  EXPECT_EQ(statusName("hip", 6), "");
  EXPECT_EQ(statusName("hip", 999), "hipErrorUnknown");
  EXPECT_EQ(statusName("hiprtc", 6), "HIPRTC_ERROR_COMPILATION");
  EXPECT_EQ(statusName("rocblas", 6), "rocblas_status_internal_error");
  EXPECT_EQ(statusName("rocblas", 77), "");
  EXPECT_EQ(statusName("hipblaslt", 6), "HIPBLAS_STATUS_INTERNAL_ERROR");
  EXPECT_NE(message_of([] { statusName("cublas", 0); }).find("cublas"), std::string::npos);
}

}  // namespace
}  // namespace hiplab::bindings
