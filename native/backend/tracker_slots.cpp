#include "backend/tracker_slots.h"

#include <sstream>
#include <utility>

#include "backend/capture_status.h"
#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::backend {

void refuse_capturing(const Table& api, const CommandStream& stream, const char* what) {
  if (!known_to_capture(api, stream.get())) return;
  std::ostringstream out;
  out << "stream " << static_cast<const void*>(stream.get()) << " cannot be " << what
      << " while it captures or is part of another stream's capture: end the capture first";
  throw Error(out.str());
}

hipError_t TrackerSlot::query(const Table& api, const char** call) {
  if (done != nullptr && done_tells) {
    if (call != nullptr) *call = "hipEventQuery";
    const hipError_t status = done->query();
    // Recorded while another thread drew the stream into a capture: it will never tell.
    if (status != hipErrorCapturedEvent) return status;
    done_tells = false;
  }
  if (call != nullptr) *call = "hipStreamQuery";
  if (known_to_capture(api, stream->get())) return hipErrorNotReady;
  return api.hipStreamQuery(stream->get());
}

TrackerSlot& TrackerSlots::acquire(const Context& context, Device& device) {
  TrackerSlot* slot = pooled();
  if (slot == nullptr) {
    HIPLAB_POINT("tracker.create.begin");
    auto made = std::make_unique<TrackerSlot>();
    made->stream = std::make_unique<CommandStream>(context, device);
    HIPLAB_WRITE(this, "tracker.slots");
    slot = slots_.emplace_back(std::move(made)).get();
    HIPLAB_POINT("tracker.create.end");
  }
  HIPLAB_WRITE(this, "tracker.slots");
  slot->state = TrackerSlot::State::acquired;
  return *slot;
}

TrackerSlot* TrackerSlots::pooled() const {
  for (const auto& slot : slots_) {
    if (slot->state == TrackerSlot::State::pooled) return slot.get();
  }
  return nullptr;
}

TrackerSlot* TrackerSlots::with_ticket(std::uint64_t ticket) const {
  for (const auto& slot : slots_) {
    if (slot->state == TrackerSlot::State::draining && slot->ticket == ticket) return slot.get();
  }
  return nullptr;
}

TrackerSlot& TrackerSlots::acquired(const CommandStream& stream, const char* what) const {
  for (const auto& slot : slots_) {
    if (slot->stream.get() == &stream && slot->state == TrackerSlot::State::acquired) return *slot;
  }
  std::ostringstream out;
  out << "stream " << static_cast<const void*>(stream.get()) << " cannot be " << what
      << ": only a stream that acquire() gave out and that has not been released or abandoned "
         "since is allowed";
  throw Error(out.str());
}

TrackerSlot& TrackerSlots::given_up(const Table& api, const CommandStream& stream,
                                    const char* what) const {
  TrackerSlot& slot = acquired(stream, what);
  refuse_capturing(api, stream, what);
  return slot;
}

void TrackerSlots::each_draining(const std::function<bool(TrackerSlot&)>& visit) const {
  for (const auto& slot : slots_) {
    if (slot->state == TrackerSlot::State::draining && !visit(*slot)) return;
  }
}

int TrackerSlots::draining() const { return state().draining; }

TrackerState TrackerSlots::state() const {
  TrackerState all;
  for (const auto& slot : slots_) {
    ++all.owned;
    all.pooled += slot->state == TrackerSlot::State::pooled;
    all.acquired += slot->state == TrackerSlot::State::acquired;
    if (slot->state != TrackerSlot::State::draining) continue;
    ++all.draining;
    all.pinned_bytes += static_cast<std::int64_t>(slot->scratch.bytes);
  }
  return all;
}

Reclaimed TrackerSlots::retire(TrackerSlot& slot) {
  Reclaimed reclaimed{std::exchange(slot.scratch, {}), std::move(slot.done)};
  slot.done = nullptr;
  slot.ticket = 0;
  slot.done_tells = true;
  slot.state = TrackerSlot::State::pooled;
  return reclaimed;
}

}  // namespace hiplab::backend
