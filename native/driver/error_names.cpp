#include "driver/error_names.h"

namespace hiplab::driver {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

// X(code, description): descriptions are our own words.
#define HIPLAB_HIP_ERRORS(X)                                                             \
  X(hipSuccess, "no error")                                                              \
  X(hipErrorInvalidValue, "invalid argument")                                            \
  X(hipErrorOutOfMemory, "out of memory")                                                \
  X(hipErrorNotInitialized, "the runtime is not initialized")                            \
  X(hipErrorDeinitialized, "the runtime is shutting down")                               \
  X(hipErrorInvalidMemcpyDirection, "invalid direction of a copy")                       \
  X(hipErrorInvalidConfiguration, "grid, block or shared memory beyond the limits")      \
  X(hipErrorInvalidImage, "not a code object")                                           \
  X(hipErrorNotFound, "no such symbol")                                                  \
  X(hipErrorNoDevice, "no device found")                                                 \
  X(hipErrorInvalidDevice, "invalid device index")                                       \
  X(hipErrorNoBinaryForGpu, "no code for this device")                                   \
  X(hipErrorInvalidHandle, "invalid handle of a stream or event")                        \
  X(hipErrorIllegalState, "the stream captures already, or does not capture")            \
  X(hipErrorNotReady, "the device is not ready")                                         \
  X(hipErrorIllegalAddress, "illegal memory access on the device")                       \
  X(hipErrorLaunchFailure, "a launch failed")                                            \
  X(hipErrorNotSupported, "not supported")                                               \
  X(hipErrorStreamCaptureUnsupported, "not permitted while a stream is capturing")       \
  X(hipErrorStreamCaptureInvalidated, "the capture was invalidated by an earlier error") \
  X(hipErrorStreamCaptureMerge, "would merge two captures")                              \
  X(hipErrorStreamCaptureUnmatched, "the capture was not begun on this stream")          \
  X(hipErrorStreamCaptureUnjoined, "a stream of the capture has not been joined again")  \
  X(hipErrorStreamCaptureIsolation, "a dependency leads out of the capture")             \
  X(hipErrorStreamCaptureImplicit, "the null stream would depend on a capturing stream") \
  X(hipErrorCapturedEvent, "the event was last recorded in a capture")                   \
  X(hipErrorStreamCaptureWrongThread, "the capture was begun by another thread")

const char* error_name(hipError_t error) {
  switch (error) {
#define HIPLAB_NAME(code, text) \
  case code:                    \
    return #code;
    HIPLAB_HIP_ERRORS(HIPLAB_NAME)
#undef HIPLAB_NAME
    default:
      return "hipErrorUnknown";
  }
}

const char* error_string(hipError_t error) {
  switch (error) {
#define HIPLAB_TEXT(code, text) \
  case code:                    \
    return text;
    HIPLAB_HIP_ERRORS(HIPLAB_TEXT)
#undef HIPLAB_TEXT
    default:
      return "unknown error";
  }
}

const char* status_name(rocblas_status status) {
  switch (status) {
#define HIPLAB_STATUS(code) \
  case code:                \
    return #code;
    HIPLAB_STATUS(rocblas_status_success)
    HIPLAB_STATUS(rocblas_status_invalid_handle)
    HIPLAB_STATUS(rocblas_status_not_implemented)
    HIPLAB_STATUS(rocblas_status_invalid_pointer)
    HIPLAB_STATUS(rocblas_status_invalid_size)
    HIPLAB_STATUS(rocblas_status_memory_error)
    HIPLAB_STATUS(rocblas_status_internal_error)
    HIPLAB_STATUS(rocblas_status_invalid_value)
    HIPLAB_STATUS(rocblas_status_arch_mismatch)
#undef HIPLAB_STATUS
    default:
      return "rocblas_status_unknown";
  }
}

const char* status_name(hipblasStatus_t status) {
  switch (status) {
    case HIPBLAS_STATUS_SUCCESS:
      return "HIPBLAS_STATUS_SUCCESS";
    case HIPBLAS_STATUS_NOT_INITIALIZED:
      return "HIPBLAS_STATUS_NOT_INITIALIZED";
    case HIPBLAS_STATUS_ALLOC_FAILED:
      return "HIPBLAS_STATUS_ALLOC_FAILED";
    case HIPBLAS_STATUS_INVALID_VALUE:
      return "HIPBLAS_STATUS_INVALID_VALUE";
    case HIPBLAS_STATUS_MAPPING_ERROR:
      return "HIPBLAS_STATUS_MAPPING_ERROR";
    case HIPBLAS_STATUS_EXECUTION_FAILED:
      return "HIPBLAS_STATUS_EXECUTION_FAILED";
    case HIPBLAS_STATUS_INTERNAL_ERROR:
      return "HIPBLAS_STATUS_INTERNAL_ERROR";
    case HIPBLAS_STATUS_NOT_SUPPORTED:
      return "HIPBLAS_STATUS_NOT_SUPPORTED";
    case HIPBLAS_STATUS_ARCH_MISMATCH:
      return "HIPBLAS_STATUS_ARCH_MISMATCH";
    case HIPBLAS_STATUS_HANDLE_IS_NULLPTR:
      return "HIPBLAS_STATUS_HANDLE_IS_NULLPTR";
    case HIPBLAS_STATUS_INVALID_ENUM:
      return "HIPBLAS_STATUS_INVALID_ENUM";
    case HIPBLAS_STATUS_UNKNOWN:
      return "HIPBLAS_STATUS_UNKNOWN";
  }
  return nullptr;
}

const char* status_name(hiprtcResult result) {
  switch (result) {
    case HIPRTC_SUCCESS:
      return "HIPRTC_SUCCESS";
    case HIPRTC_ERROR_OUT_OF_MEMORY:
      return "HIPRTC_ERROR_OUT_OF_MEMORY";
    case HIPRTC_ERROR_PROGRAM_CREATION_FAILURE:
      return "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE";
    case HIPRTC_ERROR_INVALID_INPUT:
      return "HIPRTC_ERROR_INVALID_INPUT";
    case HIPRTC_ERROR_INVALID_PROGRAM:
      return "HIPRTC_ERROR_INVALID_PROGRAM";
    case HIPRTC_ERROR_INVALID_OPTION:
      return "HIPRTC_ERROR_INVALID_OPTION";
    case HIPRTC_ERROR_COMPILATION:
      return "HIPRTC_ERROR_COMPILATION";
    case HIPRTC_ERROR_INTERNAL_ERROR:
      return "HIPRTC_ERROR_INTERNAL_ERROR";
  }
  return nullptr;
}

}  // namespace hiplab::driver
