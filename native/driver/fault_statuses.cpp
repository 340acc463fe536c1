#include "driver/fault_statuses.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "driver/error_names.h"

namespace hiplab::driver {
namespace {

using F = Function;

struct Row {
  Function function;
  std::vector<int> statuses;
};

// Sources. After a queue fault every HIP call returns 700 (mlxcel 1804), and without a device every
// HIP call returns 100 (read off libamdhip64 6.4): these two are in every HIP list. 900 is what
// HIP's documentation lists under stream capture for calls that a capture does not permit; 400 is
// for handles that are not alive, 2 for memory of the device or of the host. The lists of hiprtc,
// rocBLAS and hipBLASLt are the statuses that their headers describe for such a call; where a
// header names none, its library's general error (assumed).
const std::vector<Row>& rows() {
  constexpr int kFault = hipErrorIllegalAddress;
  constexpr int kNone = hipErrorNoDevice;
  constexpr int kCapture = hipErrorStreamCaptureUnsupported;
  constexpr int kHandle = hipErrorInvalidHandle;
  constexpr int kMemory = hipErrorOutOfMemory;
  constexpr int kValue = hipErrorInvalidValue;
  constexpr int kLaunch = hipErrorLaunchFailure;
  static const auto* all = new std::vector<Row>{
      // Devices.
      {F::hipGetDeviceCount, {kNone, kFault}},
      {F::hipSetDevice, {hipErrorInvalidDevice, kNone, kFault}},
      {F::hipGetDevice, {kNone, kFault}},
      {F::hipGetDevicePropertiesR0600, {hipErrorInvalidDevice, kNone, kFault}},
      {F::hipRuntimeGetVersion, {kNone, kFault}},
      {F::hipDriverGetVersion, {kNone, kFault}},
      {F::hipDeviceSynchronize, {kFault, kNone, kLaunch, kCapture}},
      {F::hipDeviceReset, {kFault, kNone}},
      // Memory.
      {F::hipMemGetInfo, {kFault, kNone, kMemory}},
      {F::hipMalloc, {kMemory, kFault, kNone, kCapture}},
      {F::hipFree, {kFault, kNone, kValue, kCapture}},
      {F::hipMallocAsync, {kMemory, kFault, kNone, hipErrorNotSupported, kHandle}},
      {F::hipFreeAsync, {kFault, kNone, kValue, hipErrorNotSupported, kHandle}},
      {F::hipHostMalloc, {kMemory, kFault, kNone, kCapture}},
      {F::hipHostFree, {kFault, kNone, kValue, kCapture}},
      {F::hipMemcpy, {kFault, kNone, kValue, kCapture, hipErrorStreamCaptureImplicit}},
      {F::hipMemset, {kFault, kNone, kValue, kCapture, hipErrorStreamCaptureImplicit}},
      {F::hipMemcpyAsync, {kFault, kNone, kValue, kHandle, kCapture}},
      {F::hipMemsetAsync, {kFault, kNone, kValue, kHandle}},
      // Streams.
      {F::hipStreamCreateWithFlags, {kMemory, kFault, kNone}},
      {F::hipStreamDestroy, {kHandle, kFault, kNone}},
      {F::hipStreamSynchronize, {kFault, kNone, kHandle, kLaunch, kCapture}},
      {F::hipStreamQuery, {hipErrorNotReady, kFault, kNone, kHandle, kCapture}},
      {F::hipStreamWaitEvent,
       {kHandle, kFault, kNone, hipErrorStreamCaptureMerge, hipErrorStreamCaptureIsolation}},
      {F::hipStreamGetCaptureInfo, {kHandle, kFault, kNone, hipErrorStreamCaptureImplicit}},
      // Events.
      {F::hipEventCreateWithFlags, {kMemory, kFault, kNone}},
      {F::hipEventDestroy, {kHandle, kFault, kNone}},
      {F::hipEventRecord, {kHandle, kFault, kNone}},
      {F::hipEventQuery, {hipErrorNotReady, kHandle, kFault, kNone, kCapture}},
      {F::hipEventSynchronize, {kHandle, kFault, kNone, kCapture, hipErrorCapturedEvent}},
      {F::hipEventElapsedTime, {kHandle, kFault, kNone, hipErrorNotReady}},
      // Capture and graphs. How a capture ends badly: HIP documentation of hipStreamEndCapture.
      {F::hipStreamBeginCapture, {kValue, kHandle, kFault, kNone, kCapture}},
      {F::hipStreamEndCapture,
       {hipErrorStreamCaptureInvalidated, kFault, kNone, hipErrorStreamCaptureUnmatched,
        hipErrorStreamCaptureUnjoined, hipErrorStreamCaptureWrongThread}},
      {F::hipThreadExchangeStreamCaptureMode, {kValue, kFault, kNone}},
      {F::hipGraphInstantiate, {kValue, kMemory, kFault, kNone}},
      {F::hipGraphLaunch, {kValue, kMemory, kFault, kNone}},
      {F::hipGraphDestroy, {kValue, kFault, kNone}},
      {F::hipGraphExecDestroy, {kValue, kFault, kNone}},
      {F::hipLaunchHostFunc, {kValue, kHandle, kMemory, kFault, kNone}},
      // Modules.
      {F::hipModuleLoadData,
       {hipErrorNoBinaryForGpu, hipErrorInvalidImage, kMemory, kFault, kNone}},
      {F::hipModuleGetFunction, {hipErrorNotFound, kHandle, kFault, kNone}},
      {F::hipModuleLaunchKernel,
       {hipErrorInvalidConfiguration, kValue, kHandle, kLaunch, kFault, kNone}},
      {F::hipModuleUnload, {kHandle, kFault, kNone}},
      // hiprtc.
      {F::hiprtcVersion, {HIPRTC_ERROR_INVALID_INPUT}},
      {F::hiprtcCreateProgram,
       {HIPRTC_ERROR_OUT_OF_MEMORY, HIPRTC_ERROR_PROGRAM_CREATION_FAILURE,
        HIPRTC_ERROR_INVALID_INPUT}},
      {F::hiprtcCompileProgram,
       {HIPRTC_ERROR_COMPILATION, HIPRTC_ERROR_OUT_OF_MEMORY, HIPRTC_ERROR_INVALID_OPTION,
        HIPRTC_ERROR_INVALID_PROGRAM, HIPRTC_ERROR_INTERNAL_ERROR}},
      {F::hiprtcGetProgramLogSize, {HIPRTC_ERROR_INVALID_PROGRAM, HIPRTC_ERROR_INTERNAL_ERROR}},
      {F::hiprtcGetProgramLog, {HIPRTC_ERROR_INVALID_PROGRAM, HIPRTC_ERROR_INTERNAL_ERROR}},
      {F::hiprtcGetCodeSize, {HIPRTC_ERROR_INVALID_PROGRAM, HIPRTC_ERROR_INTERNAL_ERROR}},
      {F::hiprtcGetCode, {HIPRTC_ERROR_INVALID_PROGRAM, HIPRTC_ERROR_INTERNAL_ERROR}},
      {F::hiprtcDestroyProgram, {HIPRTC_ERROR_INVALID_PROGRAM}},
      // rocBLAS. With no device rocblas_create_handle returns 6 (read off librocblas 4.4).
      {F::rocblas_create_handle,
       {rocblas_status_memory_error, rocblas_status_internal_error, rocblas_status_arch_mismatch}},
      {F::rocblas_destroy_handle, {rocblas_status_invalid_handle, rocblas_status_internal_error}},
      {F::rocblas_set_stream, {rocblas_status_invalid_handle, rocblas_status_internal_error}},
      {F::rocblas_get_stream, {rocblas_status_invalid_handle, rocblas_status_invalid_pointer}},
      {F::rocblas_sgemm,
       {rocblas_status_internal_error, rocblas_status_memory_error, rocblas_status_invalid_handle,
        rocblas_status_invalid_size, rocblas_status_invalid_pointer}},
      {F::rocblas_gemm_ex,
       {rocblas_status_internal_error, rocblas_status_memory_error, rocblas_status_invalid_handle,
        rocblas_status_invalid_size, rocblas_status_invalid_pointer, rocblas_status_not_implemented,
        rocblas_status_arch_mismatch}},
      {F::rocblas_gemm_strided_batched_ex,
       {rocblas_status_internal_error, rocblas_status_memory_error, rocblas_status_invalid_handle,
        rocblas_status_invalid_size, rocblas_status_invalid_pointer, rocblas_status_not_implemented,
        rocblas_status_arch_mismatch}},
      {F::rocblas_get_version_string_size, {rocblas_status_invalid_pointer}},
      {F::rocblas_get_version_string, {rocblas_status_invalid_size}},
      // hipBLASLt.
      {F::hipblasLtCreate,
       {HIPBLAS_STATUS_ALLOC_FAILED, HIPBLAS_STATUS_NOT_INITIALIZED, HIPBLAS_STATUS_INVALID_VALUE,
        HIPBLAS_STATUS_INTERNAL_ERROR}},
      {F::hipblasLtDestroy, {HIPBLAS_STATUS_NOT_INITIALIZED, HIPBLAS_STATUS_INTERNAL_ERROR}},
      {F::hipblasLtGetVersion, {HIPBLAS_STATUS_INVALID_VALUE}},
      {F::hipblasLtMatmulDescCreate, {HIPBLAS_STATUS_ALLOC_FAILED, HIPBLAS_STATUS_INVALID_VALUE}},
      {F::hipblasLtMatmulDescDestroy, {HIPBLAS_STATUS_INTERNAL_ERROR}},
      {F::hipblasLtMatmulDescSetAttribute, {HIPBLAS_STATUS_INVALID_VALUE}},
      {F::hipblasLtMatrixLayoutCreate, {HIPBLAS_STATUS_ALLOC_FAILED, HIPBLAS_STATUS_INVALID_VALUE}},
      {F::hipblasLtMatrixLayoutDestroy, {HIPBLAS_STATUS_INTERNAL_ERROR}},
      {F::hipblasLtMatrixLayoutSetAttribute, {HIPBLAS_STATUS_INVALID_VALUE}},
      {F::hipblasLtMatmulPreferenceCreate,
       {HIPBLAS_STATUS_ALLOC_FAILED, HIPBLAS_STATUS_INVALID_VALUE}},
      {F::hipblasLtMatmulPreferenceDestroy, {HIPBLAS_STATUS_INTERNAL_ERROR}},
      {F::hipblasLtMatmulPreferenceSetAttribute, {HIPBLAS_STATUS_INVALID_VALUE}},
      {F::hipblasLtMatmulAlgoGetHeuristic,
       {HIPBLAS_STATUS_NOT_SUPPORTED, HIPBLAS_STATUS_INVALID_VALUE, HIPBLAS_STATUS_INTERNAL_ERROR,
        HIPBLAS_STATUS_ALLOC_FAILED}},
      {F::hipblasLtMatmul,
       {HIPBLAS_STATUS_EXECUTION_FAILED, HIPBLAS_STATUS_INVALID_VALUE, HIPBLAS_STATUS_ALLOC_FAILED,
        HIPBLAS_STATUS_INTERNAL_ERROR, HIPBLAS_STATUS_NOT_SUPPORTED, HIPBLAS_STATUS_ARCH_MISMATCH,
        HIPBLAS_STATUS_NOT_INITIALIZED}},
  };  // leaked: a table may be called while the process exits
  return *all;
}

// One entry a function, so that a call under a fault looks nothing up.
std::array<std::span<const int>, kFunctions> by_function() {
  std::array<std::span<const int>, kFunctions> spans;
  for (const Row& row : rows()) spans[index_of(row.function)] = row.statuses;
  return spans;
}

bool starts_with(Function function, std::string_view prefix) {
  return std::string_view(function_name(function)).starts_with(prefix);
}

}  // namespace

std::span<const int> statuses_of(Function function) {
  static const auto* spans = new std::array<std::span<const int>, kFunctions>(by_function());
  return (*spans)[index_of(function)];
}

std::string status_text(Function function, int status) {
  const char* name = nullptr;
  if (starts_with(function, "hipblasLt")) {
    name = status_name(static_cast<hipblasStatus_t>(status));
  } else if (starts_with(function, "hiprtc")) {
    name = status_name(static_cast<hiprtcResult>(status));
  } else if (starts_with(function, "rocblas")) {
    name = status_name(static_cast<rocblas_status>(status));
  } else {
    name = error_name(static_cast<hipError_t>(status));
  }
  return std::to_string(status) + (name != nullptr ? " (" + std::string(name) + ")" : "");
}

int status_under(Function function, hipError_t error) {
  const bool memory = error == hipErrorOutOfMemory;
  if (starts_with(function, "hipblasLt")) {
    return memory ? HIPBLAS_STATUS_ALLOC_FAILED : HIPBLAS_STATUS_INTERNAL_ERROR;
  }
  if (starts_with(function, "hiprtc")) {
    return memory ? HIPRTC_ERROR_OUT_OF_MEMORY : HIPRTC_ERROR_INTERNAL_ERROR;
  }
  if (starts_with(function, "rocblas")) {
    return memory ? rocblas_status_memory_error : rocblas_status_internal_error;
  }
  return error;
}

}  // namespace hiplab::driver
