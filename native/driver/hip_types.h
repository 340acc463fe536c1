// HIP's C types, of those in use: see rocm_types.h.
#pragma once

#include <cstddef>

namespace hiplab::rocm {

enum hipError_t : int {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorOutOfMemory = 2,
  hipErrorNotInitialized = 3,
  hipErrorDeinitialized = 4,
  hipErrorInvalidMemcpyDirection = 21,
  hipErrorInvalidConfiguration = 9,
  hipErrorNoDevice = 100,
  hipErrorInvalidDevice = 101,
  hipErrorNoBinaryForGpu = 209,
  hipErrorInvalidImage = 200,
  hipErrorInvalidHandle = 400,
  hipErrorIllegalState = 401,
  hipErrorNotFound = 500,
  hipErrorNotReady = 600,
  hipErrorIllegalAddress = 700,
  hipErrorLaunchFailure = 719,
  hipErrorNotSupported = 801,
  hipErrorStreamCaptureUnsupported = 900,
  hipErrorStreamCaptureInvalidated = 901,
  hipErrorStreamCaptureMerge = 902,
  hipErrorStreamCaptureUnmatched = 903,
  hipErrorStreamCaptureUnjoined = 904,
  hipErrorStreamCaptureIsolation = 905,
  hipErrorStreamCaptureImplicit = 906,
  hipErrorCapturedEvent = 907,
  hipErrorStreamCaptureWrongThread = 908,
  hipErrorUnknown = 999,
};

struct ihipStream_t;
struct ihipEvent_t;
using hipStream_t = ihipStream_t*;
using hipEvent_t = ihipEvent_t*;

struct ihipModule_t;
struct ihipModuleSymbol_t;
struct ihipGraph;
struct hipGraphExec;
using hipModule_t = ihipModule_t*;
using hipFunction_t = ihipModuleSymbol_t*;
using hipGraph_t = ihipGraph*;
using hipGraphExec_t = hipGraphExec*;
struct hipGraphNode;
using hipGraphNode_t = hipGraphNode*;
using hipHostFn_t = void (*)(void* user);

enum hipMemcpyKind : int {
  hipMemcpyHostToHost = 0,
  hipMemcpyHostToDevice = 1,
  hipMemcpyDeviceToHost = 2,
  hipMemcpyDeviceToDevice = 3,
  hipMemcpyDefault = 4,
};

enum hipStreamCaptureStatus : int {
  hipStreamCaptureStatusNone = 0,
  hipStreamCaptureStatusActive = 1,
  hipStreamCaptureStatusInvalidated = 2,
};

enum hipStreamCaptureMode : int {
  hipStreamCaptureModeGlobal = 0,
  hipStreamCaptureModeThreadLocal = 1,
  hipStreamCaptureModeRelaxed = 2,
};

// Flags. HIP has macros in their place.
enum : unsigned {
  hipStreamDefault = 0x00,
  hipStreamNonBlocking = 0x01,
  hipEventDefault = 0x00,
  hipEventDisableTiming = 0x02,
};

// hipDeviceProp_tR0600: only the fields in use are named, the rest is kept as space. The plain
// hipGetDeviceProperties is also exported with an older struct, so only the R0600 call is used.
struct alignas(8) hipDeviceProp_tR0600 {
  char name[256];
  char reserved0[32];
  size_t totalGlobalMem;     // 288, bytes
  size_t sharedMemPerBlock;  // 296, bytes
  char reserved1[4];
  int warpSize;  // 308
  char reserved2[8];
  int maxThreadsPerBlock;  // 320
  char reserved3[24];
  int clockRate;  // 348, kHz
  char reserved4[8];
  int major;  // 360
  int minor;  // 364
  char reserved5[20];
  int multiProcessorCount;  // 388
  char reserved6[4];
  int integrated;  // 396
  char reserved7[216];
  int l2CacheSize;  // 616, bytes
  char reserved8[540];
  char gcnArchName[256];  // 1160
  char reserved9[56];
};
static_assert(sizeof(hipDeviceProp_tR0600) == 1472);
static_assert(alignof(hipDeviceProp_tR0600) == 8);
static_assert(offsetof(hipDeviceProp_tR0600, totalGlobalMem) == 288);
static_assert(offsetof(hipDeviceProp_tR0600, sharedMemPerBlock) == 296);
static_assert(offsetof(hipDeviceProp_tR0600, warpSize) == 308);
static_assert(offsetof(hipDeviceProp_tR0600, maxThreadsPerBlock) == 320);
static_assert(offsetof(hipDeviceProp_tR0600, clockRate) == 348);
static_assert(offsetof(hipDeviceProp_tR0600, major) == 360);
static_assert(offsetof(hipDeviceProp_tR0600, multiProcessorCount) == 388);
static_assert(offsetof(hipDeviceProp_tR0600, integrated) == 396);
static_assert(offsetof(hipDeviceProp_tR0600, l2CacheSize) == 616);
static_assert(offsetof(hipDeviceProp_tR0600, gcnArchName) == 1160);

}  // namespace hiplab::rocm
