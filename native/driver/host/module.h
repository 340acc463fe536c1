// Modules of the software device: loaded code, its kernels, and who still runs it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "driver/host/kernel_prelude.h"
#include "driver/rocm_types.h"
#include "sync/mutex.h"

namespace hiplab::driver::host {

// Code in this process's memory, until nobody holds it: the module, and each launch of it that is
// queued or captured, so that a module may be unloaded while its kernels are in flight.
class ModuleImage {
 public:
  // Throws hiplab::Error when the system does not load it.
  explicit ModuleImage(const std::string& object);
  ~ModuleImage();
  ModuleImage(const ModuleImage&) = delete;
  ModuleImage& operator=(const ModuleImage&) = delete;

  // Null when there is no kernel of that name.
  const KernelEntry* kernel(const std::string& name) const;

 private:
  void* library_ = nullptr;
  const KernelEntry* kernels_ = nullptr;
  unsigned count_ = 0;
};

}  // namespace hiplab::driver::host

namespace hiplab::rocm {

struct ihipModuleSymbol_t {
  const driver::host::KernelEntry* entry;
  std::shared_ptr<driver::host::ModuleImage> image;
  int device;
};

struct ihipModule_t {
  std::shared_ptr<driver::host::ModuleImage> image;
  int device;
  // Asked for so far: one handle a name.
  std::unordered_map<std::string, hipFunction_t> functions;
};

}  // namespace hiplab::rocm

namespace hiplab::driver::host {

// Which modules and functions are alive. Thread-safe.
class Modules {
 public:
  rocm::hipModule_t add(std::shared_ptr<ModuleImage> image, int device);
  // False when it is not alive. Its functions go with it.
  bool remove(rocm::hipModule_t module);
  // hipErrorInvalidHandle when the module is not alive, hipErrorNotFound without such a kernel.
  rocm::hipError_t function(rocm::hipModule_t module, const std::string& name,
                            rocm::hipFunction_t& out);
  // A copy, so that the code stays for as long as the caller needs it; null when not alive.
  std::shared_ptr<const rocm::ihipModuleSymbol_t> find(rocm::hipFunction_t function);
  std::int64_t alive();

 private:
  sync::SharedMutex mutex_{"device modules"};
  std::unordered_map<rocm::hipModule_t, std::unique_ptr<rocm::ihipModule_t>> modules_;
  std::unordered_map<rocm::hipFunction_t, std::shared_ptr<rocm::ihipModuleSymbol_t>> functions_;
};

// Of the process.
Modules& modules();

}  // namespace hiplab::driver::host
