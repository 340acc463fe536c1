#include "backend/tracker_slots.h"

#include <sstream>
#include <utility>

namespace hiplab::backend {

TrackerSlot& TrackerSlots::add(std::unique_ptr<CommandStream> stream) {
  auto slot = std::make_unique<TrackerSlot>();
  slot->stream = std::move(stream);
  slots_.push_back(std::move(slot));
  return *slots_.back();
}

TrackerSlot* TrackerSlots::first(TrackerSlot::State state) const {
  for (const auto& slot : slots_) {
    if (slot->state == state) return slot.get();
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
  slot.state = TrackerSlot::State::pooled;
  return reclaimed;
}

}  // namespace hiplab::backend
