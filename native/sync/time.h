// Time that passes on purpose: waits and host work of a modelled cost.
//
// Through here, and not through std::this_thread, so that a schedule in charge can let virtual time
// pass instead.
#pragma once

#include <chrono>
#include <thread>

#include "sync/watched.h"

namespace hiplab::sync {

namespace detail {
// Whether a director has let the time pass virtually.
bool slept(std::chrono::nanoseconds duration, bool busy);
}  // namespace detail

// Blocks the calling thread, as a driver that waits for the device does.
inline void sleep_for(std::chrono::nanoseconds duration) {
  if (detail::is_watched() && detail::slept(duration, false)) [[unlikely]]
    return;
  std::this_thread::sleep_for(duration);
}

// Keeps the calling thread's core busy.
inline void busy_for(std::chrono::nanoseconds duration) {
  if (detail::is_watched() && detail::slept(duration, true)) [[unlikely]]
    return;
  const auto end = std::chrono::steady_clock::now() + duration;
  while (std::chrono::steady_clock::now() < end) {
  }
}

}  // namespace hiplab::sync
