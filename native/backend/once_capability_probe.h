// Capabilities probed once, and only a probe that ended well counts. Lock order: this lock, then
// the handle's (mlxcel 2200).
#pragma once

#include <atomic>

#include "backend/capability_probe.h"
#include "sync/mutex.h"

namespace hiplab::backend {

class OnceCapabilityProbe final : public CapabilityProbe {
 public:
  // `handle` must outlive the probe.
  OnceCapabilityProbe(const Context& context, int device, BlasLtHandle& handle)
      : context_(context), device_(device), handle_(handle) {}

  Capabilities get() override;

 private:
  void probe();

  const Context context_;
  const int device_;
  BlasLtHandle& handle_;
  sync::Mutex mutex_{"hipBLASLt capabilities"};
  Capabilities found_;  // written under mutex_ before probed_ is released
  std::atomic<bool> probed_{false};
};

}  // namespace hiplab::backend
