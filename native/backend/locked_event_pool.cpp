#include "backend/locked_event_pool.h"

#include <mutex>

#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::backend {

hipEvent_t LockedEventPool::take(int device, bool timing) {
  HIPLAB_POINT("eventpool.enter");
  OwnedEvent event;
  {
    const std::lock_guard lock(mutex_);
    HIPLAB_READ(&free_, "eventpool.free");
    std::vector<OwnedEvent>& free = free_[{device, timing}];
    if (!free.empty()) {
      HIPLAB_POINT("eventpool.take.begin");
      event = std::move(free.back());
      HIPLAB_POINT("eventpool.take.read");
      HIPLAB_WRITE(&free_, "eventpool.free");
      free.pop_back();
      HIPLAB_POINT("eventpool.take.end");
    }
  }
  if (!event) {
    HIPLAB_POINT("eventpool.create.begin");
    event = OwnedEvent(context_.api(), create_event(context_.api(), device, timing));
    ++context_.counters.handles_events;
    HIPLAB_POINT("eventpool.create.end");
  }
  HIPLAB_POINT("eventpool.leave");
  return event.release();
}

void LockedEventPool::give(int device, bool timing, hipEvent_t event) noexcept {
  HIPLAB_POINT("eventpool.enter");
  OwnedEvent given(context_.api(), event);
  try {
    const std::lock_guard lock(mutex_);
    HIPLAB_POINT("eventpool.give");
    HIPLAB_WRITE(&free_, "eventpool.free");
    free_[{device, timing}].push_back(std::move(given));
  } catch (const std::bad_alloc&) {
    // No memory to keep it for the next user: it is destroyed instead.
  }
  HIPLAB_POINT("eventpool.leave");
}

}  // namespace hiplab::backend
