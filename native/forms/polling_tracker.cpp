#include "forms/polling_tracker.h"

#include <chrono>
#include <mutex>
#include <utility>

#include "backend/capture_guard.h"
#include "backend/patience.h"
#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is one form of a backend part

PollingTracker::PollingTracker(const Context& context, Device& device, int max_draining)
    : context_(context), device_(device), max_draining_(max_draining) {}

PollingTracker::~PollingTracker() {
  for (const auto& slot : slots_.all()) {
    (void)context_.api().hipStreamSynchronize(slot->stream->get());
  }
}

hipError_t PollingTracker::poll(TrackerSlot& slot) const {
  return context_.api().hipStreamQuery(slot.stream->get());
}

void PollingTracker::sweep_locked() {
  slots_.each_draining([&](TrackerSlot& slot) {
    HIPLAB_POINT("tracker.poll");
    if (poll(slot) == hipSuccess) {
      HIPLAB_WRITE(&slots_, "tracker.slots");
      HIPLAB_POINT("tracker.free.begin");
      (void)TrackerSlots::retire(slot);  // runs the deallocator here, under the lock
      HIPLAB_POINT("tracker.free.end");
    }
    return true;
  });
}

void PollingTracker::on_launch(hipStream_t) {
  HIPLAB_POINT("tracker.enter");
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&slots_, "tracker.slots");
  sweep_locked();
}

CommandStream* PollingTracker::acquire_within(std::optional<std::chrono::nanoseconds> limit) {
  const Patience patience(limit);
  HIPLAB_POINT("tracker.enter");
  std::unique_lock lock(mutex_);
  HIPLAB_READ(&slots_, "tracker.slots");
  for (;;) {
    sweep_locked();
    if (slots_.draining() < max_draining_) break;
    if (patience.over()) {
      HIPLAB_POINT("tracker.leave");
      return nullptr;
    }
    HIPLAB_POINT("tracker.acquire.wait");
    moved_.wait_for(lock, patience.at_most(std::chrono::milliseconds(1)),
                    [this] { return slots_.draining() < max_draining_; });
  }
  TrackerSlot& slot = slots_.acquire(context_, device_);
  HIPLAB_POINT("tracker.leave");
  return slot.stream.get();
}

void PollingTracker::release(CommandStream& stream) {
  HIPLAB_POINT("tracker.enter");
  const std::lock_guard lock(mutex_);
  HIPLAB_WRITE(&slots_, "tracker.slots");
  (void)TrackerSlots::retire(slots_.acquired(stream, "released"));
  HIPLAB_POINT("tracker.leave");
}

void PollingTracker::abandon(CommandStream& stream, Scratch&& scratch,
                             std::unique_ptr<Event> done) {
  HIPLAB_POINT("tracker.enter");
  const std::lock_guard lock(mutex_);
  TrackerSlot& slot = slots_.acquired(stream, "abandoned");
  HIPLAB_WRITE(&slots_, "tracker.slots");
  slot.scratch = std::move(scratch);
  slot.done = std::move(done);
  slot.state = TrackerSlot::State::draining;
  HIPLAB_POINT("tracker.leave");
}

void PollingTracker::discard(Scratch&& scratch) {
  // Here, as everything that this form frees; by a caller that minds captures more than time.
  const RelaxedCapture relaxed(context_.api());
  scratch = {};
}

TrackerState PollingTracker::state() const {
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&slots_, "tracker.slots");
  return slots_.state();
}

}  // namespace hiplab::forms
