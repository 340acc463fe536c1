#include "forms/thread_blaslt_handle.h"

#include <string>

#include "backend/device_guard.h"
#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is one form of a backend part

hipblasLtHandle_t ThreadBlasLtHandle::get() {
  HIPLAB_POINT("blaslt.enter");
  if (!available()) {
    throw Error("hipBLASLt is not available on device " + std::to_string(device_));
  }
  OwnedBlasLt& own = handles_.mine();
  HIPLAB_READ(&own, "blaslt.handle");
  if (!own) {
    const Table& api = context_.api();
    const DeviceGuard current(api, device_);
    HIPLAB_POINT("blaslt.create.begin");
    hipblasLtHandle_t created = nullptr;
    HIPLAB_CHECK(api, Where{device_}, hipblasLtCreate, &created);
    HIPLAB_WRITE(&own, "blaslt.handle");
    own = OwnedBlasLt(api, created);
    ++context_.counters.handles_hipblaslt;
    HIPLAB_POINT("blaslt.create.end");
  }
  HIPLAB_POINT("blaslt.leave");
  return own.get();
}

}  // namespace hiplab::forms
