#include "backend/callback_tracker.h"

#include <chrono>
#include <cstdio>
#include <mutex>
#include <utility>
#include <vector>

#include "backend/capture_guard.h"
#include "backend/patience.h"
#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::backend {
namespace {

constexpr std::chrono::milliseconds kRetest{10};

// Leaked on purpose: after an error nothing proves that the kernel has stopped writing here.
void keep_for_good(Reclaimed reclaimed) {
  static auto* const mutex = new sync::Mutex("lost scratch");
  static auto* const lost = new std::vector<Reclaimed>;
  const std::lock_guard lock(*mutex);
  lost->push_back(std::move(reclaimed));
}

}  // namespace

CallbackTracker::CallbackTracker(const Context& context, Device& device, int max_draining)
    : context_(context),
      device_(device),
      max_draining_(max_draining),
      worker_(context, device.index(), [this](std::uint64_t ticket) { return retire(ticket); }) {
  if (max_draining < 1) {
    throw Error("the backlog cap of a stream tracker is " + std::to_string(max_draining) +
                ", at least 1 is allowed");
  }
}

CallbackTracker::~CallbackTracker() {
  if (slots_.all().empty()) return;
  const RelaxedCapture relaxed(context_.api());
  // A stream that has been waited for has run its callbacks: the worker has their tickets.
  std::vector<TrackerSlot*> lost;
  for (const auto& slot : slots_.all()) {
    if (!succeeded(context_.api().hipStreamSynchronize(slot->stream->get()))) {
      lost.push_back(slot.get());
    }
  }
  const std::lock_guard lock(mutex_);
  for (TrackerSlot* slot : lost) {
    if (slot->state != TrackerSlot::State::draining) continue;
    Reclaimed reclaimed = TrackerSlots::retire(*slot);
    slot->state = TrackerSlot::State::draining;
    if (reclaimed.scratch.memory == nullptr) continue;
    std::fprintf(stderr,
                 "warning: %zu bytes of scratch of a lost device %d are not freed: an abandoned "
                 "kernel may still write there\n",
                 reclaimed.scratch.bytes, device_.index());
    reclaimed.done = nullptr;
    keep_for_good(std::move(reclaimed));
  }
  // A callback that could not be queued leaves its slot here, drained.
  slots_.each_draining([this](TrackerSlot& slot) {
    if (slot.scratch.memory != nullptr) worker_.free_later(TrackerSlots::retire(slot));
    return true;
  });
}

void CallbackTracker::sweep_locked() {
  const RelaxedCapture relaxed(context_.api());
  hipError_t failure = hipSuccess;
  const char* call = "";
  hipStream_t stream = nullptr;
  slots_.each_draining([&](TrackerSlot& slot) {
    const hipError_t status = slot.query(context_.api(), &call);
    if (status == hipErrorNotReady) return true;
    if (status != hipSuccess) {
      // The slot and its scratch stay: an error does not prove that the kernel has stopped.
      failure = status;
      stream = slot.stream->get();
      return false;
    }
    HIPLAB_WRITE(&slots_, "tracker.slots");
    worker_.free_later(TrackerSlots::retire(slot));
    return true;
  });
  check(context_.api(), failure, call, Where{device_.index(), stream});
}

CommandStream* CallbackTracker::acquire_within(std::optional<std::chrono::nanoseconds> limit) {
  const Patience patience(limit);
  HIPLAB_POINT("tracker.enter");
  std::unique_lock lock(mutex_);
  HIPLAB_READ(&slots_, "tracker.slots");
  for (;;) {
    if (slots_.draining() > 0) sweep_locked();
    if (slots_.draining() < max_draining_) break;
    if (patience.over()) {
      HIPLAB_POINT("tracker.leave");
      return nullptr;
    }
    HIPLAB_POINT("tracker.acquire.wait");
    moved_.wait_for(lock, patience.at_most(kRetest),
                    [this] { return slots_.draining() < max_draining_; });
  }
  TrackerSlot& slot = slots_.acquire(context_, device_);
  HIPLAB_POINT("tracker.leave");
  return slot.stream.get();
}

void CallbackTracker::release(CommandStream& stream) {
  HIPLAB_POINT("tracker.enter");
  Reclaimed left;  // dies after the lock
  {
    const std::lock_guard lock(mutex_);
    HIPLAB_WRITE(&slots_, "tracker.slots");
    left = TrackerSlots::retire(slots_.given_up(context_.api(), stream, "released"));
  }
  HIPLAB_POINT("tracker.leave");
}

void CallbackTracker::abandon(CommandStream& stream, Scratch&& scratch,
                              std::unique_ptr<Event> done) {
  HIPLAB_POINT("tracker.enter");
  const std::lock_guard lock(mutex_);
  TrackerSlot& slot = slots_.given_up(context_.api(), stream, "abandoned");
  const std::uint64_t ticket = ++last_ticket_;
  void* const notice = worker_.notice(ticket);
  HIPLAB_WRITE(&slots_, "tracker.slots");
  worker_.pin(scratch.bytes);
  slot.scratch = std::move(scratch);
  // One that was not recorded would count as done.
  slot.done = done != nullptr && done->recorded() ? std::move(done) : nullptr;
  slot.ticket = ticket;
  slot.state = TrackerSlot::State::draining;
  HIPLAB_POINT("tracker.abandon.draining");
  // The worker waits for the lock, so a callback that runs at once finds the slot marked.
  const hipError_t status =
      context_.api().hipLaunchHostFunc(stream.get(), &TrackerWorker::callback, notice);
  if (!succeeded(status)) {
    worker_.withdraw(ticket);  // acquire() tests the done event
    std::fprintf(stderr,
                 "warning: no callback could be queued behind an abandoned evaluation on device "
                 "%d: %s; its stream is tested at the next evaluation\n",
                 device_.index(), status_name(context_.api(), status).c_str());
  }
  HIPLAB_POINT("tracker.leave");
}

void CallbackTracker::discard(Scratch&& scratch) {
  worker_.pin(scratch.bytes);
  worker_.free_later({std::move(scratch), nullptr});
}

std::optional<Reclaimed> CallbackTracker::retire(std::uint64_t ticket) {
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&slots_, "tracker.slots");
  TrackerSlot* const slot = slots_.with_ticket(ticket);
  if (slot == nullptr) return std::nullopt;  // a done event was first; the stream may be in use
  HIPLAB_WRITE(&slots_, "tracker.slots");
  Reclaimed reclaimed = TrackerSlots::retire(*slot);
  moved_.notify_all();
  return reclaimed;
}

TrackerState CallbackTracker::state() const {
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&slots_, "tracker.slots");
  TrackerState state = slots_.state();
  state.pinned_bytes = worker_.pinned();
  return state;
}

}  // namespace hiplab::backend
