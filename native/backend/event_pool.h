// Device events, used again: creating one costs a driver call, and an evaluation uses several.
#pragma once

#include "backend/check.h"

namespace hiplab::backend {

// Events by device and flags. Thread-safe unless the form says otherwise.
class EventPool {
 public:
  virtual ~EventPool() = default;

  // An event for one user, from the pool or new. What it recorded last was its former user's.
  // Throws when a new one cannot be created.
  virtual hipEvent_t take(int device, bool timing) = 0;

  // Its user is done with it. The event may still be pending: the next user records it anew.
  virtual void give(int device, bool timing, hipEvent_t event) noexcept = 0;
};

// A new event of the device. Throws when the driver gives none.
hipEvent_t create_event(const Table& api, int device, bool timing);

}  // namespace hiplab::backend
