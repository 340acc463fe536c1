#include "backend/event_pool.h"

#include "backend/device_guard.h"

namespace hiplab::backend {

hipEvent_t create_event(const Table& api, int device, bool timing) {
  const DeviceGuard current(api, device);
  hipEvent_t event = nullptr;
  HIPLAB_CHECK(api, Where{device}, hipEventCreateWithFlags, &event,
               timing ? hipEventDefault : hipEventDisableTiming);
  return event;
}

}  // namespace hiplab::backend
