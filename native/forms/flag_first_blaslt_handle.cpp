#include "forms/flag_first_blaslt_handle.h"

#include <cstdio>
#include <mutex>
#include <string>

#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is one form of a backend part

FlagFirstBlasLtHandle::~FlagFirstBlasLtHandle() {
  if (handle_ != nullptr) (void)context_.api().hipblasLtDestroy(handle_);
}

void FlagFirstBlasLtHandle::init() {
  HIPLAB_WRITE(&initialized_, "blaslt.initialized");
  initialized_ = true;
  HIPLAB_POINT("blaslt.init.flag-set");
  if (!context_.provider.has_hipblaslt) {
    std::fprintf(stderr, "warning: hipBLASLt is not available: the library is missing\n");
    return;
  }
  HIPLAB_POINT("blaslt.create.begin");
  // On whatever device is current: as filed, only the allocation below makes the device current.
  HIPLAB_WRITE(&handle_, "blaslt.handle");
  const hipblasStatus_t status = context_.api().hipblasLtCreate(&handle_);
  if (!succeeded(status)) {
    std::fprintf(stderr, "warning: hipblasLtCreate failed on device %d: %s\n", device_,
                 status_name(context_.api(), status).c_str());
    return;
  }
  ++context_.counters.handles_hipblaslt;
  HIPLAB_POINT("blaslt.create.end");
  HIPLAB_WRITE(&available_, "blaslt.available");
  available_ = true;
  HIPLAB_POINT("blaslt.init.available-set");
  if (after_available_) after_available_();
}

void FlagFirstBlasLtHandle::ensure_initialized() {
  HIPLAB_POINT("blaslt.enter");
  HIPLAB_READ(&initialized_, "blaslt.initialized");
  if (!initialized_) {
    const std::lock_guard lock(mutex_);
    HIPLAB_READ(&initialized_, "blaslt.initialized");
    if (!initialized_) init();
  }
  HIPLAB_POINT("blaslt.leave");
}

bool FlagFirstBlasLtHandle::available() {
  ensure_initialized();
  HIPLAB_READ(&available_, "blaslt.available");
  return available_;
}

hipblasLtHandle_t FlagFirstBlasLtHandle::get() {
  ensure_initialized();
  HIPLAB_READ(&available_, "blaslt.available");
  if (!available_) throw Error("hipBLASLt is not available on this device.");
  HIPLAB_READ(&handle_, "blaslt.handle");
  return handle_;
}

}  // namespace hiplab::forms
