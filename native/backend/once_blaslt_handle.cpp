#include "backend/once_blaslt_handle.h"

#include <cstdio>
#include <mutex>
#include <string>

#include "backend/device_guard.h"
#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::backend {

void OnceBlasLtHandle::ensure_created() {
  if (init_state_.load(std::memory_order_acquire) != kNotTried) return;
  const std::lock_guard lock(mutex_);
  if (init_state_.load(std::memory_order_relaxed) != kNotTried) return;
  if (!context_.provider.has_hipblaslt) {
    std::fprintf(stderr, "warning: hipBLASLt is not available: the library is missing\n");
    init_state_.store(kUnavailable, std::memory_order_release);
    return;
  }
  const Table& api = context_.api();
  const DeviceGuard current(api, device_);
  HIPLAB_POINT("blaslt.create.begin");
  hipblasLtHandle_t created = nullptr;
  const hipblasStatus_t status = api.hipblasLtCreate(&created);
  if (!succeeded(status)) {
    std::fprintf(stderr, "warning: hipblasLtCreate failed on device %d: %s\n", device_,
                 status_name(api, status).c_str());
    init_state_.store(kUnavailable, std::memory_order_release);
    return;
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
    throw Error("hipBLASLt is not available on device " + std::to_string(device_));
  }
  HIPLAB_READ(&handle_, "blaslt.handle");
  return handle_.get();
}

}  // namespace hiplab::backend
