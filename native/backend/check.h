// The one way to call the driver table: a status other than success becomes an exception that
// names the call, the status by name and number, the device and the stream.
#pragma once

#include <string>

#include "driver/error.h"
#include "driver/table.h"

namespace hiplab::backend {

using namespace hiplab::rocm;  // NOLINT: driver code is written in ROCm's own names
using driver::Table;

// Where a call was made, for its error.
struct Where {
  int device = -1;  // -1: no device in particular
  hipStream_t stream = nullptr;
};

// A status by name and number.
struct Status {
  std::string name;
  int number = 0;

  std::string text() const;  // "hipErrorOutOfMemory (2)"
};

Status status_of(const Table& api, hipError_t status);
Status status_of(const Table& api, rocblas_status status);
Status status_of(const Table& api, hipblasStatus_t status);
Status status_of(const Table& api, hiprtcResult status);

template <typename AnyStatus>
std::string status_name(const Table& api, AnyStatus status) {
  return status_of(api, status).text();
}

// Throws an Error that carries the call and its status.
[[noreturn]] void fail(const Status& status, const char* call, const Where& where);

inline bool succeeded(hipError_t status) { return status == hipSuccess; }
inline bool succeeded(rocblas_status status) { return status == rocblas_status_success; }
inline bool succeeded(hipblasStatus_t status) { return status == HIPBLAS_STATUS_SUCCESS; }
inline bool succeeded(hiprtcResult status) { return status == HIPRTC_SUCCESS; }

template <typename AnyStatus>
inline void check(const Table& api, AnyStatus status, const char* call, const Where& where) {
  if (!succeeded(status)) [[unlikely]] {
    fail(status_of(api, status), call, where);
  }
}

}  // namespace hiplab::backend

// HIPLAB_CHECK(api, where, hipMalloc, &pointer, bytes);
#define HIPLAB_CHECK(api, where, function, ...) \
  ::hiplab::backend::check((api), (api).function(__VA_ARGS__), #function, (where))
