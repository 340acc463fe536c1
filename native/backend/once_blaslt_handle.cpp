#include "backend/once_blaslt_handle.h"

#include <cstdio>
#include <mutex>

#include "backend/device_guard.h"
#include "backend/open_captures.h"
#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::backend {
namespace {

// Whether hipblasLtCreate says that it will never work on this device.
bool says_never(hipblasStatus_t status) {
  return status == HIPBLAS_STATUS_NOT_SUPPORTED || status == HIPBLAS_STATUS_ARCH_MISMATCH;
}

}  // namespace

OnceBlasLtHandle::~OnceBlasLtHandle() {
  if (!handle_) return;
  const Table& api = context_.api();
  outside_captures_or_later(
      [&api, handle = handle_.release()] { (void)api.hipblasLtDestroy(handle); });
}

void OnceBlasLtHandle::fails(const std::string& why, State state) {
  why_not_ = why;
  if (!warned_) {
    warned_ = true;
    std::fprintf(stderr, "warning: hipBLASLt is not available on device %d: %s\n", device_,
                 why.c_str());
  }
  init_state_.store(state, std::memory_order_release);
}

void OnceBlasLtHandle::ensure_created() {
  if (settled()) return;
  const std::lock_guard lock(mutex_);
  if (settled()) return;
  if (!context_.provider.has_hipblaslt) return fails("the library is missing", kUnavailable);
  const Table& api = context_.api();
  const DeviceGuard current(api, device_);
  HIPLAB_POINT("blaslt.create.begin");
  hipblasLtHandle_t created = nullptr;
  hipblasStatus_t status = HIPBLAS_STATUS_SUCCESS;
  if (!outside_captures([&] { status = api.hipblasLtCreate(&created); })) {
    why_not_ = "it has no handle yet, and creating one would end the capture of another stream";
    init_state_.store(kFailed, std::memory_order_release);
    return;
  }
  if (!succeeded(status)) {
    return fails("hipblasLtCreate failed: " + status_name(api, status),
                 says_never(status) ? kUnavailable : kFailed);
  }
  HIPLAB_WRITE(&handle_, "blaslt.handle");
  handle_ = OwnedBlasLt(api, created);
  ++context_.counters.handles_hipblaslt;
  HIPLAB_POINT("blaslt.create.end");
  init_state_.store(kReady, std::memory_order_release);
}

bool OnceBlasLtHandle::available() {
  HIPLAB_POINT("blaslt.enter");
  ensure_created();
  HIPLAB_POINT("blaslt.leave");
  return init_state_.load(std::memory_order_acquire) == kReady;
}

hipblasLtHandle_t OnceBlasLtHandle::get() {
  if (!available()) {
    const std::lock_guard lock(mutex_);
    throw Error("hipBLASLt is not available on device " + std::to_string(device_) + ": " +
                why_not_);
  }
  HIPLAB_READ(&handle_, "blaslt.handle");
  return handle_.get();
}

}  // namespace hiplab::backend
