#include "backend/rocblas_lease.h"

#include <cstdio>
#include <string_view>
#include <utility>

#include "backend/capture_guard.h"
#include "backend/device_guard.h"
#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::backend {

bool rocblas_supports(const char* arch) {
  const std::string_view name(arch);
  if (!name.starts_with("gfx")) return true;
  for (const std::string_view family :
       {"gfx90", "gfx94", "gfx95", "gfx103", "gfx110", "gfx115", "gfx120"}) {
    if (name.starts_with(family)) return true;
  }
  return false;
}

LeasedRocblas::LeasedRocblas(const Context& context, int device, std::string arch)
    : context_(context),
      device_(device),
      arch_(std::move(arch)),
      arch_supported_(context.provider.has_rocblas && rocblas_supports(arch_.c_str())) {}

void LeasedRocblas::fail_once_told(const std::string& message, FailedCall call) {
  HIPLAB_READ(&warned_, "rocblas.warned");
  if (!warned_) {
    HIPLAB_WRITE(&warned_, "rocblas.warned");
    warned_ = true;
    std::fprintf(stderr, "warning: %s\n", message.c_str());
  }
  throw Error(message, std::move(call));
}

void LeasedRocblas::ensure_created() {
  HIPLAB_READ(&handle_, "rocblas.handle");
  if (handle_) return;
  if (!arch_supported_) {
    fail_once_told("rocBLAS is not available on device " + std::to_string(device_) +
                   (context_.provider.has_rocblas ? ": its architecture is " + arch_
                                                  : ": the library is missing"));
  }
  const Table& api = context_.api();
  const DeviceGuard current(api, device_);
  HIPLAB_POINT("rocblas.create.begin");
  rocblas_handle created = nullptr;
  rocblas_status status = rocblas_status_success;
  {
    const RelaxedCapture relaxed(api);  // it allocates, and another stream may be capturing
    status = api.rocblas_create_handle(&created);
  }
  if (!succeeded(status)) {
    const Status told = status_of(api, status);
    fail_once_told(
        "rocblas_create_handle failed on device " + std::to_string(device_) + ": " + told.text(),
        {"rocblas_create_handle", told.number, told.name});
  }
  HIPLAB_WRITE(&handle_, "rocblas.handle");
  handle_ = OwnedRocblas(api, created);
  ++context_.counters.handles_rocblas;
  HIPLAB_POINT("rocblas.create.end");
  ready_.store(true, std::memory_order_release);
}

RocblasLease LeasedRocblas::acquire(hipStream_t stream) {
  std::unique_lock lock(mutex_);
  ensure_created();
  HIPLAB_READ(&bound_stream_, "rocblas.stream");
  if (bound_stream_ != stream) {
    // Unknown until it has succeeded: a failed bind must not pass for either stream.
    HIPLAB_WRITE(&bound_stream_, "rocblas.stream");
    bound_stream_.reset();
    HIPLAB_CHECK(context_.api(), (Where{device_, stream}), rocblas_set_stream, handle_.get(),
                 stream);
    bound_stream_ = stream;
  }
  HIPLAB_POINT("rocblas.rebind.done");
  return RocblasLease(std::move(lock), handle_.get());
}

bool LeasedRocblas::available() {
  if (!arch_supported_) return false;
  HIPLAB_POINT("rocblas.enter");
  if (ready_.load(std::memory_order_acquire)) return true;
  const std::lock_guard lock(mutex_);
  try {
    ensure_created();
    return true;
  } catch (const Error&) {
    return false;  // told once on stderr; the next call tries again
  }
}

rocblas_status LeasedRocblas::with_handle(hipStream_t stream, const RocblasCall& call) {
  HIPLAB_POINT("rocblas.enter");
  rocblas_status status = rocblas_status_success;
  {
    const RocblasLease lease = acquire(stream);
    status = call(lease.handle());
  }
  HIPLAB_POINT("rocblas.leave");
  return status;
}

void LeasedRocblas::forget(hipStream_t stream) {
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&bound_stream_, "rocblas.stream");
  if (bound_stream_ != stream) return;
  HIPLAB_WRITE(&bound_stream_, "rocblas.stream");
  bound_stream_.reset();
}

}  // namespace hiplab::backend
