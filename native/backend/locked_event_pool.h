// The event pool under a lock (mlxcel 2196), torn down only with its backend (mlxcel 2197).
//
// The process's own backend is leaked, and its pool with it: an event that a static destructor
// gives back finds the pool alive, and no event is destroyed at exit.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "backend/context.h"
#include "backend/event_pool.h"
#include "backend/owned.h"
#include "sync/mutex.h"

namespace hiplab::backend {

class LockedEventPool final : public EventPool {
 public:
  explicit LockedEventPool(const Context& context) : context_(context) {}

  hipEvent_t take(int device, bool timing) override;
  void give(int device, bool timing, hipEvent_t event) noexcept override;

 private:
  using Key = std::pair<int, bool>;  // device, timing

  const Context context_;
  sync::Mutex mutex_{"event pool"};
  std::map<Key, std::vector<OwnedEvent>> free_;
};

}  // namespace hiplab::backend
