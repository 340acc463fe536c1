// Makes a device current on this thread for a scope, and the former one again afterwards.
#pragma once

#include "backend/check.h"

namespace hiplab::backend {

class DeviceGuard {
 public:
  // Throws when the device cannot be made current; then nothing has changed.
  DeviceGuard(const Table& api, int device) : api_(api) {
    HIPLAB_CHECK(api, Where{device}, hipGetDevice, &former_);
    if (former_ != device) {
      HIPLAB_CHECK(api, Where{device}, hipSetDevice, device);
      changed_ = true;
    }
  }
  ~DeviceGuard() {
    if (changed_) api_.hipSetDevice(former_);
  }
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  const Table& api_;
  int former_ = 0;
  bool changed_ = false;
};

}  // namespace hiplab::backend
