// FILED form of the capability probe (mlxcel 2200): probed is set before the work, so that a throw
// leaves every capability false for good.
#pragma once

#include "backend/capability_probe.h"
#include "sync/mutex.h"

namespace hiplab::forms {

// Locked, and wrong all the same when the handle is not ready yet: that is the finding.
class FlagFirstProbe final : public backend::CapabilityProbe {
 public:
  FlagFirstProbe(const backend::Context& context, int device, backend::BlasLtHandle& handle)
      : context_(context), device_(device), handle_(handle) {}

  backend::Capabilities get() override;

 private:
  const backend::Context context_;
  const int device_;
  backend::BlasLtHandle& handle_;
  sync::Mutex mutex_{"hipBLASLt capabilities"};
  bool probed_ = false;
  backend::Capabilities found_;
};

}  // namespace hiplab::forms
