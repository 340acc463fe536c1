// Named points: places in the backend and its forms where an interleaving matters.
//
// HIPLAB_POINT("blaslt.init.flag-set") costs one relaxed load while nobody listens. With a listener
// set, the calling thread runs it with the point's name, so a test or a schedule can hold that
// thread in the window that a finding describes and let another one go first.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace hiplab::sync {

// Called on the thread that reached the point. Must not throw; may block.
using PointListener = std::function<void(const char* name, std::thread::id thread)>;

// Makes `listener` the process's one listener for as long as this object lives. Throws
// hiplab::Error when there is one already. A thread that is inside the listener when this object
// dies finishes its call on its own copy.
class ListenToPoints {
 public:
  explicit ListenToPoints(PointListener listener);
  ~ListenToPoints();
  ListenToPoints(const ListenToPoints&) = delete;
  ListenToPoints& operator=(const ListenToPoints&) = delete;
};

namespace detail {
extern std::atomic<bool> listening;
void reached(const char* name);
}  // namespace detail

// Relaxed is enough: the slow path takes a lock before it reads the listener, and a point that is
// reached while a listener is being set may be missed or seen.
inline void point(const char* name) {
  if (detail::listening.load(std::memory_order_relaxed)) [[unlikely]] {
    detail::reached(name);
  }
}

}  // namespace hiplab::sync

#define HIPLAB_POINT(name) ::hiplab::sync::point(name)
