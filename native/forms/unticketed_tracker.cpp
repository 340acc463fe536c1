#include "forms/unticketed_tracker.h"

#include <chrono>
#include <mutex>
#include <utility>

#include "backend/capture_guard.h"
#include "backend/patience.h"
#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is one form of a backend part

UnticketedTracker::UnticketedTracker(const Context& context, Device& device, int max_draining)
    : context_(context),
      device_(device),
      max_draining_(max_draining),
      worker_(context, device.index(), [this](std::uint64_t notice) { return retire(notice); }) {}

UnticketedTracker::~UnticketedTracker() {
  const RelaxedCapture relaxed(context_.api());
  for (const auto& slot : slots_.all()) {
    (void)context_.api().hipStreamSynchronize(slot->stream->get());
  }
}

void UnticketedTracker::sweep_locked() {
  const RelaxedCapture relaxed(context_.api());
  slots_.each_draining([&](TrackerSlot& slot) {
    const hipError_t status = slot.query(context_.api());
    if (status == hipErrorNotReady) return true;
    check(context_.api(), status, "hipEventQuery", Where{device_.index(), slot.stream->get()});
    HIPLAB_WRITE(&slots_, "tracker.slots");
    worker_.free_later(TrackerSlots::retire(slot));
    return true;
  });
}

CommandStream* UnticketedTracker::acquire_within(std::optional<std::chrono::nanoseconds> limit) {
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
    moved_.wait_for(lock, patience.at_most(std::chrono::milliseconds(10)),
                    [this] { return slots_.draining() < max_draining_; });
  }
  TrackerSlot& slot = slots_.acquire(context_, device_);
  HIPLAB_POINT("tracker.leave");
  return slot.stream.get();
}

void UnticketedTracker::release(CommandStream& stream) {
  HIPLAB_POINT("tracker.enter");
  const std::lock_guard lock(mutex_);
  HIPLAB_WRITE(&slots_, "tracker.slots");
  (void)TrackerSlots::retire(slots_.acquired(stream, "released"));
  HIPLAB_POINT("tracker.leave");
}

void UnticketedTracker::abandon(CommandStream& stream, Scratch&& scratch,
                                std::unique_ptr<Event> done) {
  HIPLAB_POINT("tracker.enter");
  const std::lock_guard lock(mutex_);
  TrackerSlot& slot = slots_.acquired(stream, "abandoned");
  const std::uint64_t id = ++last_notice_;
  void* const notice = worker_.notice(id);
  streams_[id] = &slot;
  HIPLAB_WRITE(&slots_, "tracker.slots");
  worker_.pin(scratch.bytes);
  slot.scratch = std::move(scratch);
  slot.done = std::move(done);
  slot.state = TrackerSlot::State::draining;
  HIPLAB_POINT("tracker.abandon.draining");
  if (context_.api().hipLaunchHostFunc(stream.get(), &TrackerWorker::callback, notice) !=
      hipSuccess) {
    worker_.withdraw(id);
  }
  HIPLAB_POINT("tracker.leave");
}

void UnticketedTracker::discard(Scratch&& scratch) {
  worker_.pin(scratch.bytes);
  worker_.free_later({std::move(scratch), nullptr});
}

std::optional<Reclaimed> UnticketedTracker::retire(std::uint64_t notice) {
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&slots_, "tracker.slots");
  TrackerSlot& slot = *streams_.extract(notice).mapped();
  if (slot.state != TrackerSlot::State::draining) return std::nullopt;
  // Draining, but perhaps abandoned once more since this callback was queued: nothing here says so.
  HIPLAB_WRITE(&slots_, "tracker.slots");
  Reclaimed reclaimed = TrackerSlots::retire(slot);
  moved_.notify_all();
  return reclaimed;
}

TrackerState UnticketedTracker::state() const {
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&slots_, "tracker.slots");
  TrackerState state = slots_.state();
  state.pinned_bytes = worker_.pinned();
  return state;
}

}  // namespace hiplab::forms
