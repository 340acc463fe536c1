#include "driver/host/module.h"

#include <dlfcn.h>

#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "driver/error.h"
#include "driver/host/compiler_folder.h"

namespace hiplab::driver::host {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

ModuleImage::ModuleImage(const std::string& object) {
  // A name of its own: the loader takes a name that it knows for the library that it has.
  static std::atomic<unsigned> loaded{0};
  const CompilerFolder folder;
  const std::string path =
      folder.write("hiplab-kernel-" + std::to_string(++loaded) + ".so", object);
  // Local and bound at once: a kernel's symbols are nobody else's, and none is missing later.
  library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) {
    throw Error(std::string(dlerror()) +
                ": set TMPDIR to a folder whose file system lets code run");
  }
  kernels_ = static_cast<const KernelEntry*>(dlsym(library_, kKernelsSymbol));
  const auto* count = static_cast<const unsigned*>(dlsym(library_, kKernelCountSymbol));
  if (kernels_ == nullptr || count == nullptr) {
    dlclose(library_);
    throw Error("the code has no table of kernels: compile it with hiprtc");
  }
  count_ = *count;
}

ModuleImage::~ModuleImage() { dlclose(library_); }

const KernelEntry* ModuleImage::kernel(const std::string& name) const {
  for (unsigned i = 0; i < count_; ++i) {
    if (name == kernels_[i].name) return &kernels_[i];
  }
  return nullptr;
}

hipModule_t Modules::add(std::shared_ptr<ModuleImage> image, int device) {
  auto module = std::make_unique<ihipModule_t>();
  module->image = std::move(image);
  module->device = device;
  const hipModule_t handle = module.get();
  const std::unique_lock lock(mutex_);
  modules_.emplace(handle, std::move(module));
  return handle;
}

bool Modules::remove(hipModule_t module) {
  std::unique_ptr<ihipModule_t> owned;
  const std::unique_lock lock(mutex_);
  const auto found = modules_.find(module);
  if (found == modules_.end()) return false;
  owned = std::move(found->second);
  modules_.erase(found);
  for (const auto& [name, function] : owned->functions) functions_.erase(function);
  return true;
}

hipError_t Modules::function(hipModule_t module, const std::string& name, hipFunction_t& out) {
  const std::unique_lock lock(mutex_);
  const auto found = modules_.find(module);
  if (found == modules_.end()) return hipErrorInvalidHandle;
  ihipModule_t& m = *found->second;
  if (const auto known = m.functions.find(name); known != m.functions.end()) {
    out = known->second;
    return hipSuccess;
  }
  const KernelEntry* entry = m.image->kernel(name);
  if (entry == nullptr) return hipErrorNotFound;
  auto symbol = std::make_shared<ihipModuleSymbol_t>(ihipModuleSymbol_t{entry, m.image, m.device});
  out = symbol.get();
  functions_.emplace(out, std::move(symbol));
  m.functions.emplace(name, out);
  return hipSuccess;
}

std::shared_ptr<const ihipModuleSymbol_t> Modules::find(hipFunction_t function) {
  const std::shared_lock lock(mutex_);
  const auto found = functions_.find(function);
  return found == functions_.end() ? nullptr : found->second;
}

std::int64_t Modules::alive() {
  const std::shared_lock lock(mutex_);
  return static_cast<std::int64_t>(modules_.size());
}

Modules& modules() {
  static auto* leaked = new Modules;  // queue threads may run kernels while the process exits
  return *leaked;
}

}  // namespace hiplab::driver::host
