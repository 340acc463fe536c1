// Named points: places in the backend and its forms where an interleaving matters.
//
// HIPLAB_POINT("blaslt.init.flag-set") costs one relaxed load while nobody watches. With a director
// installed, the calling thread runs it with the point's name, so that a test or a schedule can
// hold that thread in the window that a finding describes and let another one go first. The flight
// recorder (recorder.h) notes each thread's last points, with a director or without.
#pragma once

#include <functional>
#include <memory>
#include <thread>

#include "sync/watched.h"

namespace hiplab::sync {

class Directing;

// Called on the thread that reached the point. Must not throw; may block.
using PointListener = std::function<void(const char* name, std::thread::id thread)>;

// Makes `listener` the process's one director for as long as this object lives. Throws
// hiplab::Error when there is one already. A thread that is inside the listener when this object
// dies finishes its call on its own copy.
class ListenToPoints {
 public:
  explicit ListenToPoints(PointListener listener);
  ~ListenToPoints();
  ListenToPoints(const ListenToPoints&) = delete;
  ListenToPoints& operator=(const ListenToPoints&) = delete;

 private:
  const std::unique_ptr<Directing> directing_;
};

namespace detail {
void reached(const char* name);
}

// `name` must live as long as the process (a literal, or lasting() of another text): the recorder
// keeps it.
inline void point(const char* name) {
  if (detail::is_point_watched()) [[unlikely]] {
    detail::reached(name);
  }
}

}  // namespace hiplab::sync

#define HIPLAB_POINT(name) ::hiplab::sync::point(name)
