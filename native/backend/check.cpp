#include "backend/check.h"

#include <sstream>

namespace hiplab::backend {
namespace {

// hipBLASLt has no function that names its statuses.
const char* hipblas_name(hipblasStatus_t status) {
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

const char* hiprtc_name(hiprtcResult result) {
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

Status named(const char* name, int number) {
  return {name != nullptr ? name : "an unnamed status", number};
}

}  // namespace

std::string Status::text() const { return name + " (" + std::to_string(number) + ")"; }

Status status_of(const Table& api, hipError_t status) {
  return named(api.hipGetErrorName != nullptr ? api.hipGetErrorName(status) : nullptr, status);
}

Status status_of(const Table& api, rocblas_status status) {
  return named(
      api.rocblas_status_to_string != nullptr ? api.rocblas_status_to_string(status) : nullptr,
      status);
}

Status status_of(const Table&, hipblasStatus_t status) {
  return named(hipblas_name(status), status);
}

Status status_of(const Table&, hiprtcResult status) { return named(hiprtc_name(status), status); }

void fail(const Status& status, const char* call, const Where& where) {
  std::ostringstream out;
  out << call << " failed";
  if (where.device >= 0) out << " on device " << where.device;
  if (where.stream != nullptr) {
    out << (where.device >= 0 ? ", stream " : " on stream ") << static_cast<void*>(where.stream);
  }
  out << ": " << status.text();
  throw Error(out.str(), FailedCall{call, status.number, status.name});
}

}  // namespace hiplab::backend
