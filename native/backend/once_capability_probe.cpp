#include "backend/once_capability_probe.h"

#include <mutex>

#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::backend {

Capabilities OnceCapabilityProbe::get() {
  HIPLAB_POINT("caps.enter");
  if (!probed_.load(std::memory_order_acquire)) probe();
  HIPLAB_READ(&found_, "caps.found");
  const Capabilities found = found_;
  HIPLAB_POINT("caps.leave");
  return found;
}

void OnceCapabilityProbe::probe() {
  const std::lock_guard lock(mutex_);
  if (probed_.load(std::memory_order_relaxed)) return;
  HIPLAB_POINT("caps.create.begin");
  const Capabilities found = probe_capabilities(context_, device_, handle_.get());
  HIPLAB_WRITE(&found_, "caps.found");
  found_ = found;
  tell_capabilities(context_, device_, found_);
  HIPLAB_POINT("caps.create.end");
  probed_.store(true, std::memory_order_release);
}

}  // namespace hiplab::backend
