#include "sync/point.h"

#include <memory>
#include <mutex>
#include <utility>

#include "driver/error.h"

namespace hiplab::sync {
namespace {

// Leaked: a point may be reached by a thread that outlives the process's static objects.
struct Slot {
  std::mutex mutex;
  std::shared_ptr<const PointListener> listener;
};

Slot& slot() {
  static Slot* const leaked = new Slot;
  return *leaked;
}

}  // namespace

namespace detail {

std::atomic<bool> listening{false};

void reached(const char* name) {
  std::shared_ptr<const PointListener> listener;
  {
    const std::lock_guard lock(slot().mutex);
    listener = slot().listener;
  }
  if (listener) (*listener)(name, std::this_thread::get_id());
}

}  // namespace detail

ListenToPoints::ListenToPoints(PointListener listener) {
  auto shared = std::make_shared<const PointListener>(std::move(listener));
  const std::lock_guard lock(slot().mutex);
  if (slot().listener) {
    throw Error("points have a listener already: one at a time is allowed, end that one first");
  }
  slot().listener = std::move(shared);
  detail::listening.store(true, std::memory_order_relaxed);
}

ListenToPoints::~ListenToPoints() {
  const std::lock_guard lock(slot().mutex);
  detail::listening.store(false, std::memory_order_relaxed);
  slot().listener.reset();
}

}  // namespace hiplab::sync
