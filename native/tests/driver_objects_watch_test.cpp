// What the watching table makes of blocks, streams, events and descriptors, over a library of which
// each call succeeds and does nothing.
#include <cstdint>
#include <map>
#include <string>

#include "driver/watching.h"
#include "gtest/gtest.h"

namespace hiplab::driver {
namespace {

template <typename Handle>
Handle handle(std::intptr_t value) {
  return reinterpret_cast<Handle>(value);
}

// What the next creation gives; values may come again.
std::intptr_t g_next = 0;
hipError_t g_status = hipSuccess;
hipStreamCaptureStatus g_capture = hipStreamCaptureStatusNone;
void (*g_in_matmul)() = nullptr;

Table& library() {
  static Table t;
  t.hipGetDevice = [](int* device) {
    *device = 0;
    return hipSuccess;
  };
  t.hipMalloc = [](void** p, size_t) {
    *p = handle<void*>(g_next);
    return g_status;
  };
  t.hipMallocAsync = [](void** p, size_t, hipStream_t) {
    *p = handle<void*>(g_next);
    return g_status;
  };
  t.hipFree = [](void*) { return g_status; };
  t.hipFreeAsync = [](void*, hipStream_t) { return g_status; };
  t.hipStreamCreateWithFlags = [](hipStream_t* stream, unsigned) {
    *stream = handle<hipStream_t>(g_next);
    return g_status;
  };
  t.hipStreamDestroy = [](hipStream_t) { return g_status; };
  t.hipStreamSynchronize = [](hipStream_t) { return g_status; };
  t.hipStreamQuery = [](hipStream_t) { return g_status; };
  t.hipDeviceSynchronize = [] { return g_status; };
  t.hipEventCreateWithFlags = [](hipEvent_t* event, unsigned) {
    *event = handle<hipEvent_t>(g_next);
    return g_status;
  };
  t.hipEventRecord = [](hipEvent_t, hipStream_t) { return g_status; };
  t.hipEventQuery = [](hipEvent_t) { return g_status; };
  t.hipEventSynchronize = [](hipEvent_t) { return g_status; };
  t.hipStreamWaitEvent = [](hipStream_t, hipEvent_t, unsigned) { return g_status; };
  t.hipStreamBeginCapture = [](hipStream_t, hipStreamCaptureMode) { return g_status; };
  t.hipStreamEndCapture = [](hipStream_t, hipGraph_t* graph) {
    *graph = handle<hipGraph_t>(g_next);
    return g_status;
  };
  t.hipStreamGetCaptureInfo = [](hipStream_t, hipStreamCaptureStatus* status, unsigned long long*) {
    *status = g_capture;
    return hipSuccess;
  };
  t.hipGraphInstantiate = [](hipGraphExec_t*, hipGraph_t, hipGraphNode_t*, char*, size_t) {
    return g_status;
  };
  t.hipGraphDestroy = [](hipGraph_t) { return g_status; };
  t.hipblasLtMatmulDescCreate = [](hipblasLtMatmulDesc_t* desc, hipblasComputeType_t, hipDataType) {
    *desc = handle<hipblasLtMatmulDesc_t>(g_next);
    return HIPBLAS_STATUS_SUCCESS;
  };
  t.hipblasLtMatmulDescDestroy = [](const hipblasLtMatmulDesc_t) {
    return g_status == hipSuccess ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_INVALID_VALUE;
  };
  t.hipblasLtMatrixLayoutDestroy = [](const hipblasLtMatrixLayout_t) {
    return HIPBLAS_STATUS_SUCCESS;
  };
  t.hipblasLtMatmul = [](hipblasLtHandle_t, hipblasLtMatmulDesc_t, const void*, const void*,
                         hipblasLtMatrixLayout_t, const void*, hipblasLtMatrixLayout_t, const void*,
                         const void*, hipblasLtMatrixLayout_t, void*, hipblasLtMatrixLayout_t,
                         const hipblasLtMatmulAlgo_t*, void*, size_t, hipStream_t) {
    if (g_in_matmul != nullptr) g_in_matmul();
    return HIPBLAS_STATUS_SUCCESS;
  };
  return t;
}

class ObjectsWatchFixed : public ::testing::Test {
 protected:
  static constexpr std::intptr_t kBlock = 0x10000;
  static constexpr size_t kBytes = 4096;

  ObjectsWatchFixed() {
    g_status = hipSuccess;
    g_in_matmul = nullptr;
    g_capture = hipStreamCaptureStatusNone;
    allocate(kBlock);
    for (const std::intptr_t stream : {1, 2, 3}) make_stream(stream);
    before_ = watched_calls();
  }

  static void allocate(std::intptr_t at) {
    g_next = at;
    void* made = nullptr;
    ASSERT_EQ(table().hipMalloc(&made, kBytes), hipSuccess);
    ASSERT_EQ(made, handle<void*>(at));
  }
  static void make_stream(std::intptr_t value) {
    g_next = value;
    hipStream_t made = nullptr;
    ASSERT_EQ(table().hipStreamCreateWithFlags(&made, 0), hipSuccess);
  }
  static void matmul(std::intptr_t stream, std::intptr_t workspace = kBlock, size_t bytes = kBytes,
                     std::intptr_t desc = 0, std::intptr_t layout = 0) {
    table().hipblasLtMatmul(nullptr, handle<hipblasLtMatmulDesc_t>(desc), nullptr, nullptr,
                            handle<hipblasLtMatrixLayout_t>(layout), nullptr, nullptr, nullptr,
                            nullptr, nullptr, nullptr, nullptr, nullptr, handle<void*>(workspace),
                            bytes, handle<hipStream_t>(stream));
  }
  static void record(std::intptr_t event, std::intptr_t stream) {
    table().hipEventRecord(handle<hipEvent_t>(event), handle<hipStream_t>(stream));
  }
  static void await(std::intptr_t stream, std::intptr_t event) {
    table().hipStreamWaitEvent(handle<hipStream_t>(stream), handle<hipEvent_t>(event), 0);
  }
  static void end_capture(std::intptr_t stream, std::intptr_t graph) {
    g_next = graph;
    hipGraph_t made = nullptr;
    table().hipStreamEndCapture(handle<hipStream_t>(stream), &made);
  }

  std::int64_t counted(const std::string& name) { return watched_calls().at(name) - before_[name]; }
  std::int64_t shared() { return counted("workspace.two-streams"); }

  static const Table& table() { return watch_calls(library()); }
  std::map<std::string, std::int64_t> before_;
};

TEST_F(ObjectsWatchFixed, AWorkspaceLiesInABlock) {
  matmul(1, kBlock + 1024, kBytes - 1024);
  EXPECT_EQ(counted("workspace.past-the-end"), 0);
  matmul(1, kBlock + 1024, kBytes - 1023);
  EXPECT_EQ(counted("workspace.past-the-end"), 1);
  EXPECT_EQ(counted("workspace.freed"), 0);
  matmul(1, kBlock + kBytes, 1);
  EXPECT_EQ(counted("workspace.freed"), 1) << "behind the block";
  matmul(1, 0, 0);
  EXPECT_EQ(counted("workspace.freed"), 1) << "none was given";
  EXPECT_EQ(counted("workspace.blocks"), 1);
}

TEST_F(ObjectsWatchFixed, ABlockIsFreedUntilItsAddressIsAllocatedAgain) {
  void* const block = handle<void*>(kBlock);
  matmul(1);
  g_status = hipErrorInvalidValue;
  table().hipFree(block);
  table().hipFreeAsync(block, nullptr);
  g_status = hipSuccess;
  matmul(1);
  EXPECT_EQ(counted("workspace.freed"), 0) << "it was refused";
  table().hipFree(block);
  matmul(1);
  EXPECT_EQ(counted("workspace.freed"), 1);
  allocate(kBlock);
  matmul(2);
  EXPECT_EQ(counted("workspace.freed"), 1);
  EXPECT_EQ(shared(), 0) << "another block";
  EXPECT_EQ(counted("workspace.blocks"), 2);
  table().hipFreeAsync(block, handle<hipStream_t>(2));
  matmul(2);
  EXPECT_EQ(counted("workspace.freed"), 2);
}

TEST_F(ObjectsWatchFixed, TwoStreamsWithNothingInBetween) {
  matmul(1);
  matmul(1);
  EXPECT_EQ(shared(), 0);
  matmul(2);
  EXPECT_EQ(shared(), 1);
  matmul(2);
  EXPECT_EQ(shared(), 1);
  table().hipStreamSynchronize(handle<hipStream_t>(1));
  matmul(1);
  EXPECT_EQ(shared(), 2) << "the wait was for another stream than the last one";
}

TEST_F(ObjectsWatchFixed, AWaitOfTheHostOrders) {
  const auto waits = {+[] { return table().hipStreamSynchronize(handle<hipStream_t>(1)); },
                      +[] { return table().hipStreamQuery(handle<hipStream_t>(1)); },
                      +[] { return table().hipDeviceSynchronize(); },
                      +[] {
                        record(7, 1);
                        return table().hipEventSynchronize(handle<hipEvent_t>(7));
                      },
                      +[] {
                        record(7, 1);
                        return table().hipEventQuery(handle<hipEvent_t>(7));
                      },
                      +[] {
                        allocate(2 * kBlock);
                        return table().hipFree(handle<void*>(2 * kBlock));
                      }};
  std::int64_t expected = 0;
  for (const auto wait : waits) {
    matmul(1);
    wait();
    matmul(2);
    EXPECT_EQ(shared(), expected);
    table().hipDeviceSynchronize();
  }
  matmul(1);
  g_status = hipErrorNotReady;
  table().hipStreamQuery(handle<hipStream_t>(1));
  table().hipStreamSynchronize(handle<hipStream_t>(1));
  g_status = hipSuccess;
  matmul(2);
  EXPECT_EQ(shared(), 1) << "it did not wait";
}

TEST_F(ObjectsWatchFixed, AnEventOrdersTheStreamThatWaitsForIt) {
  matmul(1);
  record(7, 1);
  await(2, 7);
  matmul(2);
  EXPECT_EQ(shared(), 0);
  record(8, 2);
  await(3, 8);
  matmul(3);  // after 2, and so after 1
  EXPECT_EQ(shared(), 0);
  matmul(1);
  EXPECT_EQ(shared(), 1) << "nobody told stream 1";
}

TEST_F(ObjectsWatchFixed, AnEventReachesWhatCameBeforeIt) {
  record(7, 1);
  matmul(1);
  await(2, 7);
  matmul(2);
  EXPECT_EQ(shared(), 1) << "recorded before the use";
  record(7, 2);
  g_next = 7;
  hipEvent_t fresh = nullptr;
  table().hipEventCreateWithFlags(&fresh, 0);
  await(3, 7);
  matmul(3);
  EXPECT_EQ(shared(), 2) << "a new event that was never recorded";
}

TEST_F(ObjectsWatchFixed, WhatAStreamWaitedForIsDoneWithIt) {
  matmul(1);
  record(7, 1);
  await(2, 7);
  table().hipStreamSynchronize(handle<hipStream_t>(2));
  matmul(3);
  EXPECT_EQ(shared(), 0);
}

TEST_F(ObjectsWatchFixed, AStreamOfTheSameHandleIsAnotherOne) {
  matmul(1);
  g_status = hipErrorInvalidHandle;
  table().hipStreamDestroy(handle<hipStream_t>(1));
  g_status = hipSuccess;
  matmul(1);
  EXPECT_EQ(shared(), 0) << "it was refused";
  table().hipStreamDestroy(handle<hipStream_t>(1));
  make_stream(1);
  matmul(1);
  EXPECT_EQ(shared(), 1);
}

TEST_F(ObjectsWatchFixed, WhatWasCapturedIsNotDoneWhenAWaitEnds) {
  hipGraphExec_t exec = nullptr;
  table().hipStreamBeginCapture(handle<hipStream_t>(1), hipStreamCaptureModeRelaxed);
  matmul(1);
  end_capture(1, 9);
  table().hipGraphInstantiate(&exec, handle<hipGraph_t>(9), nullptr, nullptr, 0);
  table().hipGraphDestroy(handle<hipGraph_t>(9));
  table().hipDeviceSynchronize();
  matmul(2);
  EXPECT_EQ(shared(), 1);
}

TEST_F(ObjectsWatchFixed, WhatWasCapturedForNoGraphNeverRuns) {
  const auto begin = [] {
    table().hipStreamBeginCapture(handle<hipStream_t>(1), hipStreamCaptureModeRelaxed);
    matmul(1);
  };
  begin();
  g_status = hipErrorInvalidValue;
  g_capture = hipStreamCaptureStatusActive;
  end_capture(1, 9);  // by the wrong thread: it goes on
  g_status = hipSuccess;
  matmul(2);
  EXPECT_EQ(shared(), 1);
  begin();
  g_status = hipErrorInvalidValue;
  g_capture = hipStreamCaptureStatusNone;
  end_capture(1, 9);  // spoilt
  g_status = hipSuccess;
  const std::int64_t so_far = shared();
  matmul(2);
  EXPECT_EQ(shared(), so_far);
  table().hipDeviceSynchronize();
  begin();
  end_capture(1, 9);
  table().hipGraphDestroy(handle<hipGraph_t>(9));  // discarded
  matmul(2);
  EXPECT_EQ(shared(), so_far);
}

TEST_F(ObjectsWatchFixed, AStreamThatJoinsACapture) {
  table().hipStreamBeginCapture(handle<hipStream_t>(1), hipStreamCaptureModeRelaxed);
  matmul(1);
  record(7, 1);
  await(2, 7);
  matmul(2);
  EXPECT_EQ(shared(), 0);
  end_capture(1, 9);
  table().hipDeviceSynchronize();
  matmul(3);
  EXPECT_EQ(shared(), 1) << "the graph may be launched";
}

TEST_F(ObjectsWatchFixed, ADescriptorLivesFromItsCreationToItsDestruction) {
  const auto desc = handle<hipblasLtMatmulDesc_t>(0x500);
  const auto make = [] {
    g_next = 0x500;
    hipblasLtMatmulDesc_t made = nullptr;
    table().hipblasLtMatmulDescCreate(&made, HIPBLAS_COMPUTE_32F, HIP_R_32F);
  };
  make();
  matmul(1, 0, 0, 0x500, 0x600);
  g_status = hipErrorInvalidValue;
  table().hipblasLtMatmulDescDestroy(desc);
  g_status = hipSuccess;
  matmul(1, 0, 0, 0x500, 0x600);
  EXPECT_EQ(counted("descriptor.destroyed"), 0);
  table().hipblasLtMatmulDescDestroy(desc);
  matmul(1, 0, 0, 0x500, 0x600);
  EXPECT_EQ(counted("descriptor.destroyed"), 1);
  make();
  matmul(1, 0, 0, 0x500, 0x600);
  EXPECT_EQ(counted("descriptor.destroyed"), 1) << "made again";
  table().hipblasLtMatrixLayoutDestroy(handle<hipblasLtMatrixLayout_t>(0x600));
  matmul(1, 0, 0, 0x500, 0x600);
  EXPECT_EQ(counted("descriptor.destroyed"), 2) << "a layout";
  EXPECT_EQ(counted("descriptor.destroyed-during"), 0);
}

TEST_F(ObjectsWatchFixed, DuringACall) {
  for (const std::intptr_t at : {0x700, 0x800}) {
    g_next = at;
    hipblasLtMatmulDesc_t made = nullptr;
    table().hipblasLtMatmulDescCreate(&made, HIPBLAS_COMPUTE_32F, HIP_R_32F);
  }
  g_in_matmul = [] {
    g_in_matmul = nullptr;
    table().hipblasLtMatmulDescDestroy(handle<hipblasLtMatmulDesc_t>(0x700));
    matmul(2, 0, 0, 0x800);  // another one; as another thread would
    matmul(2, 0, 0, 0x700);
  };
  matmul(1, 0, 0, 0x700);
  EXPECT_EQ(counted("descriptor.destroyed-during"), 1);
  EXPECT_EQ(counted("descriptor.destroyed"), 1);
  EXPECT_EQ(counted("descriptor.two-threads"), 1);
}

TEST_F(ObjectsWatchFixed, WhatWasNeverADescriptor) {
  matmul(1, 0, 0, 0);
  EXPECT_EQ(counted("descriptor.destroyed"), 1);
  matmul(1, 0, 0, 0x900);
  EXPECT_EQ(counted("descriptor.destroyed"), 2);
}

}  // namespace
}  // namespace hiplab::driver
