// A module whose kernels many threads launch.
#pragma once

#include <functional>

#include "backend/module_cache_build.h"
#include "sync/mutex.h"

namespace hiplab::backend {

class CachedModule {
 public:
  // Built in place, so that a map's node is its only home: functions stay valid with it.
  explicit CachedModule(const std::function<BuiltModule()>& build) : built_(build()) {}

  // Sets the kernel up at its first launch. Looks the name up without a lock, as the table does not
  // change; whether it has been set up is under one (mlxcel 2183: kernels_mtx_).
  hipFunction_t get(const Kernel& kernel);

 private:
  BuiltModule built_;
  sync::Mutex kernels_mutex_{"module kernels"};
};

}  // namespace hiplab::backend
