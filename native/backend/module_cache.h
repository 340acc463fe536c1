// The modules of a process: each kernel program compiled and loaded once for each device.
#pragma once

#include "backend/device.h"
#include "backend/kernel.h"
#include "sync/point.h"

namespace hiplab::backend {

// Thread-safe unless the form says otherwise.
class ModuleCache {
 public:
  virtual ~ModuleCache() = default;

  // The kernel's function on that device, valid as long as this cache. The first call for a program
  // and device compiles and loads it; one that fails throws, keeps nothing, and the next call tries
  // again.
  hipFunction_t get(const Device& device, const Kernel& kernel) {
    HIPLAB_POINT("modulecache.enter");
    const hipFunction_t function = find_or_build(device, kernel);
    HIPLAB_POINT("modulecache.leave");
    return function;
  }

 private:
  virtual hipFunction_t find_or_build(const Device& device, const Kernel& kernel) = 0;
};

}  // namespace hiplab::backend
