#include "backend/once_capability_probe.h"

#include <mutex>

#include "sync/point.h"

namespace hiplab::backend {

Capabilities OnceCapabilityProbe::get() {
  if (probed_.load(std::memory_order_acquire)) return found_;
  const std::lock_guard lock(mutex_);
  if (!probed_.load(std::memory_order_relaxed)) {
    HIPLAB_POINT("caps.probe.begin");
    found_ = probe_capabilities(context_, device_, handle_.get());
    tell_capabilities(device_, found_);
    HIPLAB_POINT("caps.probe.end");
    probed_.store(true, std::memory_order_release);
  }
  return found_;
}

}  // namespace hiplab::backend
