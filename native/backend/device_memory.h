// A block of device memory.
#pragma once

#include <cstddef>
#include <utility>

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
  // What this one had goes with `other`.
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    std::swap(api_, other.api_);
    std::swap(device_, other.device_);
    std::swap(bytes_, other.bytes_);
    std::swap(memory_, other.memory_);
    return *this;
  }

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
