#include "forms/once_module_cache.h"

#include <mutex>
#include <shared_mutex>
#include <utility>

#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is one form of a backend part

OnceModuleCache::Entry& OnceModuleCache::entry(const std::string& key) {
  {
    const std::shared_lock lock(mutex_);
    HIPLAB_READ(&entries_, "modulecache.map");
    if (const auto found = entries_.find(key); found != entries_.end()) return found->second;
  }
  HIPLAB_POINT("modulecache.find.miss");
  const std::unique_lock lock(mutex_);
  HIPLAB_WRITE(&entries_, "modulecache.map");
  return entries_.try_emplace(key).first->second;
}

CachedModule& OnceModuleCache::module(const Device& device, const KernelProgram& program) {
  Entry& own = entry(module_key(device, program));
  const std::lock_guard lock(own.mutex);
  HIPLAB_READ(&own.module, "modulecache.module");
  if (own.module == nullptr) {
    auto built =
        std::make_unique<CachedModule>([&] { return build_module(context_, device, program); });
    HIPLAB_POINT("modulecache.insert");
    HIPLAB_WRITE(&own.module, "modulecache.module");
    own.module = std::move(built);
  }
  return *own.module;
}

hipFunction_t OnceModuleCache::find_or_build(const Device& device, const Kernel& kernel) {
  return module(device, kernel.program()).get(kernel);
}

}  // namespace hiplab::forms
