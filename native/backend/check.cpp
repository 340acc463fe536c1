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

std::string named(const char* name, int number) {
  std::ostringstream out;
  out << (name != nullptr ? name : "an unnamed status") << " (" << number << ')';
  return out.str();
}

}  // namespace

std::string status_name(const Table& api, hipError_t status) {
  return named(api.hipGetErrorName != nullptr ? api.hipGetErrorName(status) : nullptr, status);
}

std::string status_name(const Table& api, rocblas_status status) {
  return named(
      api.rocblas_status_to_string != nullptr ? api.rocblas_status_to_string(status) : nullptr,
      status);
}

std::string status_name(const Table&, hipblasStatus_t status) {
  return named(hipblas_name(status), status);
}

void fail(const std::string& status, const char* call, const Where& where) {
  std::ostringstream out;
  out << call << " failed";
  if (where.device >= 0) out << " on device " << where.device;
  if (where.stream != nullptr) {
    out << (where.device >= 0 ? ", stream " : " on stream ") << static_cast<void*>(where.stream);
  }
  out << ": " << status;
  throw Error(out.str());
}

}  // namespace hiplab::backend
