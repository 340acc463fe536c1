// Time that passes on purpose: waits and host work of a modelled cost.
//
// Through here, and not through std::this_thread, so that a schedule in charge can let virtual time
// pass instead.
#pragma once

#include <chrono>
#include <thread>

namespace hiplab::sync {

// Blocks the calling thread, as a driver that waits for the device does.
inline void sleep_for(std::chrono::nanoseconds duration) { std::this_thread::sleep_for(duration); }

// Keeps the calling thread's core busy.
inline void busy_for(std::chrono::nanoseconds duration) {
  const auto end = std::chrono::steady_clock::now() + duration;
  while (std::chrono::steady_clock::now() < end) {
  }
}

}  // namespace hiplab::sync
