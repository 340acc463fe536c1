#include "forms/flag_first_blaslt_handle.h"

#include <cstdio>
#include <mutex>
#include <string>

#include "sync/point.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is one form of a backend part

FlagFirstBlasLtHandle::~FlagFirstBlasLtHandle() {
  if (handle_ != nullptr) (void)context_.api().hipblasLtDestroy(handle_);
}

void FlagFirstBlasLtHandle::init() {
  initialized_ = true;
  HIPLAB_POINT("blaslt.init.flag-set");
  if (!context_.provider.has_hipblaslt) {
    std::fprintf(stderr, "warning: hipBLASLt is not available: the library is missing\n");
    return;
  }
  HIPLAB_POINT("blaslt.create.begin");
  // On whatever device is current: as filed, only the allocation below makes the device current.
  const hipblasStatus_t status = context_.api().hipblasLtCreate(&handle_);
  if (!succeeded(status)) {
    std::fprintf(stderr, "warning: hipblasLtCreate failed on device %d: %s\n", device_,
                 status_name(context_.api(), status).c_str());
    return;
  }
  ++context_.counters.handles_hipblaslt;
  HIPLAB_POINT("blaslt.create.end");
  available_ = true;
  HIPLAB_POINT("blaslt.init.available-set");
  if (after_available_) after_available_();
}

void FlagFirstBlasLtHandle::ensure_initialized() {
  if (!initialized_) {
    const std::lock_guard lock(mutex_);
    if (!initialized_) init();
  }
}

bool FlagFirstBlasLtHandle::available() {
  ensure_initialized();
  return available_;
}

hipblasLtHandle_t FlagFirstBlasLtHandle::get() {
  ensure_initialized();
  if (!available_) throw Error("hipBLASLt is not available on this device.");
  return handle_;
}

}  // namespace hiplab::forms
