#include "forms/flag_first_probe.h"

#include <mutex>

#include "sync/point.h"

namespace hiplab::forms {

backend::Capabilities FlagFirstProbe::get() {
  const std::lock_guard lock(mutex_);
  if (!probed_) {
    probed_ = true;
    HIPLAB_POINT("caps.probe.begin");
    found_ = backend::probe_capabilities(context_, device_, handle_.get());
    backend::tell_capabilities(device_, found_);
    HIPLAB_POINT("caps.probe.end");
  }
  return found_;
}

}  // namespace hiplab::forms
