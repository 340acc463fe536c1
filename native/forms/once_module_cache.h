// ONCE_PER_KEY form of the module cache (rejected in mlxcel 2183): a lock of its own for each key,
// so that programs compile side by side and other keys are not held up.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "backend/module_cache.h"
#include "backend/module_cache_module.h"
#include "sync/mutex.h"

namespace hiplab::forms {

class OnceModuleCache final : public backend::ModuleCache {
 public:
  explicit OnceModuleCache(const backend::Context& context) : context_(context) {}

 private:
  backend::hipFunction_t find_or_build(const backend::Device& device,
                                       const backend::Kernel& kernel) override;
  // A compilation that failed leaves it empty, and the next thread tries again.
  struct Entry {
    sync::Mutex mutex{"module of a key"};
    std::unique_ptr<backend::CachedModule> module;  // mutex
  };
  Entry& entry(const std::string& key);
  backend::CachedModule& module(const backend::Device& device,
                                const backend::KernelProgram& program);

  const backend::Context context_;
  sync::SharedMutex mutex_{"module cache"};
  std::unordered_map<std::string, Entry> entries_;  // mutex_; nodes are never erased
};

}  // namespace hiplab::forms
