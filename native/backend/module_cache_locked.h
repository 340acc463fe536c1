// The module cache under a shared lock, found twice before an insert (mlxcel 2183).
//
// The lock is held while a program compiles, so one module is made for each key. The map lives in a
// Backend, and the process's own Backend is leaked: nothing is unloaded while others still launch.
#pragma once

#include <string>
#include <unordered_map>

#include "backend/module_cache.h"
#include "backend/module_cache_module.h"
#include "sync/mutex.h"

namespace hiplab::backend {

class LockedModuleCache final : public ModuleCache {
 public:
  explicit LockedModuleCache(const Context& context) : context_(context) {}

 private:
  hipFunction_t find_or_build(const Device& device, const Kernel& kernel) override;
  CachedModule& module(const Device& device, const KernelProgram& program);

  const Context context_;
  sync::SharedMutex mutex_{"module cache"};
  std::unordered_map<std::string, CachedModule> modules_;  // nodes are never erased
};

}  // namespace hiplab::backend
