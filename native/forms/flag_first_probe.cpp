#include "forms/flag_first_probe.h"

#include <mutex>

#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::forms {

backend::Capabilities FlagFirstProbe::get() {
  HIPLAB_POINT("caps.enter");
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&probed_, "caps.probed");
  if (!probed_) {
    HIPLAB_WRITE(&probed_, "caps.probed");
    probed_ = true;
    HIPLAB_POINT("caps.probe.flag-set");
    HIPLAB_POINT("caps.create.begin");
    const backend::Capabilities found =
        backend::probe_capabilities(context_, device_, handle_.get());
    HIPLAB_WRITE(&found_, "caps.found");
    found_ = found;
    backend::tell_capabilities(context_, device_, found_);
    HIPLAB_POINT("caps.create.end");
  }
  HIPLAB_READ(&found_, "caps.found");
  const backend::Capabilities found = found_;
  HIPLAB_POINT("caps.leave");
  return found;
}

}  // namespace hiplab::forms
