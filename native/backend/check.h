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

// "hipErrorOutOfMemory (2)" and so on.
std::string status_name(const Table& api, hipError_t status);
std::string status_name(const Table& api, rocblas_status status);
std::string status_name(const Table& api, hipblasStatus_t status);

[[noreturn]] void fail(const std::string& status, const char* call, const Where& where);

inline bool succeeded(hipError_t status) { return status == hipSuccess; }
inline bool succeeded(rocblas_status status) { return status == rocblas_status_success; }
inline bool succeeded(hipblasStatus_t status) { return status == HIPBLAS_STATUS_SUCCESS; }

template <typename Status>
inline void check(const Table& api, Status status, const char* call, const Where& where) {
  if (!succeeded(status)) [[unlikely]] {
    fail(status_name(api, status), call, where);
  }
}

}  // namespace hiplab::backend

// HIPLAB_CHECK(api, where, hipMalloc, &pointer, bytes);
#define HIPLAB_CHECK(api, where, function, ...) \
  ::hiplab::backend::check((api), (api).function(__VA_ARGS__), #function, (where))
