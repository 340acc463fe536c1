// ROCm's C types, as this project declares them: ROCm's own names, layouts and values.
//
// No ROCm SDK is needed to build. Read off the headers of HIP 6.4, rocBLAS 4.4 and hipBLASLt 1.1;
// kept in a namespace so that a build with the real headers at hand can compare both.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hiplab::rocm {

// ---- HIP runtime ------------------------------------------------------------------------------

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

inline constexpr unsigned hipStreamNonBlocking = 0x01;
inline constexpr unsigned hipEventDefault = 0x00;
inline constexpr unsigned hipEventDisableTiming = 0x02;

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

// ---- hiprtc -----------------------------------------------------------------------------------

enum hiprtcResult : int {
  HIPRTC_SUCCESS = 0,
  HIPRTC_ERROR_OUT_OF_MEMORY = 1,
  HIPRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  HIPRTC_ERROR_INVALID_INPUT = 3,
  HIPRTC_ERROR_INVALID_PROGRAM = 4,
  HIPRTC_ERROR_INVALID_OPTION = 5,
  HIPRTC_ERROR_COMPILATION = 6,
  HIPRTC_ERROR_INTERNAL_ERROR = 11,
};

struct _hiprtcProgram;
using hiprtcProgram = _hiprtcProgram*;

// ---- rocBLAS ----------------------------------------------------------------------------------

enum rocblas_status : int {
  rocblas_status_success = 0,
  rocblas_status_invalid_handle = 1,
  rocblas_status_not_implemented = 2,
  rocblas_status_invalid_pointer = 3,
  rocblas_status_invalid_size = 4,
  rocblas_status_memory_error = 5,
  rocblas_status_internal_error = 6,
  rocblas_status_invalid_value = 11,
  rocblas_status_arch_mismatch = 15,
};

struct _rocblas_handle;
using rocblas_handle = _rocblas_handle*;
using rocblas_int = std::int32_t;
using rocblas_stride = std::int64_t;

enum rocblas_operation : int {
  rocblas_operation_none = 111,
  rocblas_operation_transpose = 112,
  rocblas_operation_conjugate_transpose = 113,
};

enum rocblas_datatype : int {
  rocblas_datatype_f16_r = 150,
  rocblas_datatype_f32_r = 151,
  rocblas_datatype_i8_r = 160,
  rocblas_datatype_i32_r = 162,
  rocblas_datatype_bf16_r = 168,
};

enum rocblas_gemm_algo : int { rocblas_gemm_algo_standard = 0 };

// ---- hipBLASLt --------------------------------------------------------------------------------

enum hipDataType : int {
  HIP_R_32F = 0,
  HIP_R_64F = 1,
  HIP_R_16F = 2,
  HIP_R_8I = 3,
  HIP_R_8U = 8,
  HIP_R_32I = 10,
  HIP_R_16BF = 14,
  HIP_R_8F_E4M3 = 28,
  HIP_R_8F_E5M2 = 29,
};

enum hipblasStatus_t : int {
  HIPBLAS_STATUS_SUCCESS = 0,
  HIPBLAS_STATUS_NOT_INITIALIZED = 1,
  HIPBLAS_STATUS_ALLOC_FAILED = 2,
  HIPBLAS_STATUS_INVALID_VALUE = 3,
  HIPBLAS_STATUS_MAPPING_ERROR = 4,
  HIPBLAS_STATUS_EXECUTION_FAILED = 5,
  HIPBLAS_STATUS_INTERNAL_ERROR = 6,
  HIPBLAS_STATUS_NOT_SUPPORTED = 7,
  HIPBLAS_STATUS_ARCH_MISMATCH = 8,
  HIPBLAS_STATUS_HANDLE_IS_NULLPTR = 9,
  HIPBLAS_STATUS_INVALID_ENUM = 10,
  HIPBLAS_STATUS_UNKNOWN = 11,
};

enum hipblasComputeType_t : int { HIPBLAS_COMPUTE_32F = 2, HIPBLAS_COMPUTE_32I = 9 };
enum hipblasOperation_t : int { HIPBLAS_OP_N = 111, HIPBLAS_OP_T = 112, HIPBLAS_OP_C = 113 };

using hipblasLtHandle_t = void*;
struct hipblasLtMatmulDescOpaque_t;
struct hipblasLtMatrixLayoutOpaque_t;
struct hipblasLtMatmulPreferenceOpaque_t;
using hipblasLtMatmulDesc_t = hipblasLtMatmulDescOpaque_t*;
using hipblasLtMatrixLayout_t = hipblasLtMatrixLayoutOpaque_t*;
using hipblasLtMatmulPreference_t = hipblasLtMatmulPreferenceOpaque_t*;

enum hipblasLtMatmulDescAttributes_t : int {
  HIPBLASLT_MATMUL_DESC_TRANSA = 0,
  HIPBLASLT_MATMUL_DESC_TRANSB = 1,
  HIPBLASLT_MATMUL_DESC_EPILOGUE = 2,
};

enum hipblasLtMatrixLayoutAttribute_t : int {
  HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 0,           // int32
  HIPBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 1,  // int64, elements
};

enum hipblasLtMatmulPreferenceAttributes_t : int {
  HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,  // uint64
};

struct hipblasLtMatmulAlgo_t {
  std::uint8_t data[16];
  size_t max_workspace_bytes;
};
static_assert(sizeof(hipblasLtMatmulAlgo_t) == 24);

struct hipblasLtMatmulHeuristicResult_t {
  hipblasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  hipblasStatus_t state;
  float wavesCount;
  int reserved[4];
};
static_assert(sizeof(hipblasLtMatmulHeuristicResult_t) == 56);
static_assert(offsetof(hipblasLtMatmulHeuristicResult_t, workspaceSize) == 24);
static_assert(offsetof(hipblasLtMatmulHeuristicResult_t, wavesCount) == 36);

}  // namespace hiplab::rocm
