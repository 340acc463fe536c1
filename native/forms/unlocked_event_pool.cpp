#include "forms/unlocked_event_pool.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "sync/access.h"
#include "sync/mutex.h"
#include "sync/point.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is one form of a backend part

namespace {

// Of the list of maps, not of a map: backends come and go on any thread. Leaked: outlives the list.
sync::Mutex& caches_mutex() {
  static auto* const mutex = new sync::Mutex("event pool maps");
  return *mutex;
}

}  // namespace

std::vector<std::unique_ptr<UnlockedEventPool::Cache>>& UnlockedEventPool::caches() {
  static std::vector<std::unique_ptr<Cache>> caches;  // destroyed at exit, as filed
  return caches;
}

UnlockedEventPool::UnlockedEventPool(const Context& context) : context_(context) {
  auto cache = std::make_unique<Cache>(*this);
  cache_ = cache.get();
  const std::lock_guard lock(caches_mutex());
  caches().push_back(std::move(cache));
}

UnlockedEventPool::~UnlockedEventPool() {
  if (destroyed_.load()) return;
  const std::lock_guard lock(caches_mutex());
  std::erase_if(caches(), [this](const auto& cache) { return cache.get() == cache_; });
}

hipEvent_t UnlockedEventPool::take(int device, bool timing) {
  HIPLAB_POINT("eventpool.enter");
  HIPLAB_READ(&cache_->free, "eventpool.free");
  std::vector<OwnedEvent>& free = cache_->free[{device, timing}];
  if (free.empty()) {
    HIPLAB_POINT("eventpool.create.begin");
    const hipEvent_t event = create_event(context_.api(), device, timing);
    ++context_.counters.handles_events;
    HIPLAB_POINT("eventpool.create.end");
    HIPLAB_POINT("eventpool.leave");
    return event;
  }
  HIPLAB_POINT("eventpool.take.begin");
  OwnedEvent event = std::move(free.back());
  HIPLAB_POINT("eventpool.take.read");
  HIPLAB_WRITE(&cache_->free, "eventpool.free");
  free.pop_back();
  HIPLAB_POINT("eventpool.take.end");
  HIPLAB_POINT("eventpool.leave");
  return event.release();
}

void UnlockedEventPool::give(int device, bool timing, hipEvent_t event) noexcept {
  HIPLAB_POINT("eventpool.enter");
  if (destroyed_.load()) {
    std::fputs("event pool: an event was given back to the map that static teardown destroyed\n",
               stderr);
    std::abort();
  }
  HIPLAB_POINT("eventpool.give");
  HIPLAB_WRITE(&cache_->free, "eventpool.free");
  cache_->free[{device, timing}].push_back(OwnedEvent(context_.api(), event));
  HIPLAB_POINT("eventpool.leave");
}

}  // namespace hiplab::forms
