#include "backend/check.h"

#include <sstream>

#include "driver/error_names.h"

namespace hiplab::backend {
namespace {

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
  return named(driver::status_name(status), status);
}

Status status_of(const Table&, hiprtcResult status) {
  return named(driver::status_name(status), status);
}

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
