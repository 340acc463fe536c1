#include "backend/module_cache_locked.h"

#include <mutex>
#include <shared_mutex>

#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::backend {

CachedModule& LockedModuleCache::module(const Device& device, const KernelProgram& program) {
  const std::string key = module_key(device, program);
  {
    const std::shared_lock lock(mutex_);
    HIPLAB_READ(&modules_, "modulecache.map");
    if (const auto found = modules_.find(key); found != modules_.end()) return found->second;
  }
  HIPLAB_POINT("modulecache.find.miss");
  const std::unique_lock lock(mutex_);
  HIPLAB_READ(&modules_, "modulecache.map");
  if (const auto found = modules_.find(key); found != modules_.end()) return found->second;
  const auto build = [&] {
    BuiltModule built = build_module(context_, device, program);
    HIPLAB_POINT("modulecache.insert");
    HIPLAB_WRITE(&modules_, "modulecache.map");
    return built;
  };
  return modules_.try_emplace(key, build).first->second;
}

hipFunction_t LockedModuleCache::find_or_build(const Device& device, const Kernel& kernel) {
  return module(device, kernel.program()).get(kernel);
}

}  // namespace hiplab::backend
