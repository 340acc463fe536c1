// hiplab.h: events that die while the process exits.
#include <mutex>
#include <vector>

#include "bindings/refs.h"

namespace hiplab::bindings {
namespace {

// Destroys events at exit, as the static destructors of a program do that holds MLX arrays (mlxcel
// 2197).
class KeptUntilExit {
 public:
  ~KeptUntilExit() {
    for (EventRef* event : events_) delete event;
  }
  void keep(EventRef& event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(&event);
  }

 private:
  std::mutex mutex_;
  std::vector<EventRef*> events_;  // mutex_
};

// Of the library, not of a function: made before any backend, it ends after the statics that
// backends make, such as a filed event pool's maps.
KeptUntilExit kept_until_exit;

}  // namespace

void keepEventUntilExit(EventRef* event) { kept_until_exit.keep(required(event, "event")); }

}  // namespace hiplab::bindings
