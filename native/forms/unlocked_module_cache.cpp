#include "forms/unlocked_module_cache.h"

#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is one form of a backend part

hipFunction_t UnlockedModule::get(const Kernel& kernel) {
  ModuleKernel& entry = built_.kernels.at(kernel.name());
  HIPLAB_READ(&entry.configured, "module.configured");
  if (!entry.configured) {
    if (kernel.configure()) kernel.configure()(entry.function);
    HIPLAB_WRITE(&entry.configured, "module.configured");
    entry.configured = true;
  }
  return entry.function;
}

// try_emplace builds the module in the new node, while other threads look into the map and build
// their own; libstdc++ does not look again before it links the node in.
UnlockedModule& UnlockedModuleCache::module(const Device& device, const KernelProgram& program) {
  const std::string key = module_key(device, program);
  HIPLAB_READ(&modules_, "modulecache.map");
  if (const auto found = modules_.find(key); found != modules_.end()) return found->second;
  HIPLAB_POINT("modulecache.find.miss");
  const auto build = [&] {
    BuiltModule built = build_module(context_, device, program);
    HIPLAB_POINT("modulecache.insert");
    HIPLAB_WRITE(&modules_, "modulecache.map");
    return built;
  };
  return modules_.try_emplace(key, build).first->second;
}

hipFunction_t UnlockedModuleCache::find_or_build(const Device& device, const Kernel& kernel) {
  return module(device, kernel.program()).get(kernel);
}

}  // namespace hiplab::forms
