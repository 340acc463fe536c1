// A block of device memory.
#pragma once

#include <cstddef>

#include "backend/capture_guard.h"
#include "backend/context.h"
#include "backend/device_guard.h"
#include "backend/owned.h"

namespace hiplab::backend {

class DeviceMemory {
 public:
  // Contents are undefined. Freed through hipFree, which waits until no queued work can use it;
  // under a relaxed capture mode, as it may be refused otherwise, and would spoil the capture.
  DeviceMemory(const Context& context, int device, std::size_t bytes)
      : api_(&context.api()), device_(device), bytes_(bytes) {
    const DeviceGuard current(context.api(), device);
    void* raw = nullptr;
    HIPLAB_CHECK(context.api(), Where{device}, hipMalloc, &raw, bytes);
    memory_ = OwnedMemory(context.api(), raw);
  }

  ~DeviceMemory() {
    if (!memory_) return;  // moved from
    const RelaxedCapture relaxed(*api_);
    memory_.reset();
  }
  DeviceMemory(DeviceMemory&&) noexcept = default;
  DeviceMemory& operator=(DeviceMemory&&) = delete;

  void* get() const { return memory_.get(); }
  int device() const { return device_; }
  std::size_t bytes() const { return bytes_; }

 private:
  const Table* api_;
  int device_;
  std::size_t bytes_;
  OwnedMemory memory_;
};

}  // namespace hiplab::backend
