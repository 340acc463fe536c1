#include "backend/module_cache_module.h"

#include <mutex>

#include "sync/access.h"

namespace hiplab::backend {

hipFunction_t CachedModule::get(const Kernel& kernel) {
  ModuleKernel& entry = built_.kernels.at(kernel.name());
  const std::lock_guard lock(kernels_mutex_);
  HIPLAB_READ(&entry.configured, "module.configured");
  if (!entry.configured) {
    if (kernel.configure()) kernel.configure()(entry.function);
    HIPLAB_WRITE(&entry.configured, "module.configured");
    entry.configured = true;
  }
  return entry.function;
}

}  // namespace hiplab::backend
