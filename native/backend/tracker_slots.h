// The streams that a tracker owns, each with what its abandonment pins.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "backend/command_stream.h"
#include "backend/event.h"
#include "backend/stream_tracker.h"

namespace hiplab::backend {

// What an abandonment leaves behind once its work has ended, to be let go of outside every lock.
struct Reclaimed {
  Scratch scratch;
  std::unique_ptr<Event> done;
};

struct TrackerSlot {
  enum class State { pooled, acquired, draining };

  std::unique_ptr<CommandStream> stream;
  State state = State::acquired;
  Scratch scratch;              // while draining
  std::unique_ptr<Event> done;  // while draining; null when it could not be recorded
  std::uint64_t ticket = 0;     // of the abandonment, while draining; else 0
  bool done_tells = true;       // not when it was recorded in a capture

  // Whether the abandoned work has ended: of its event, or of its stream when that could not be
  // recorded. `call`, where given, is the driver call that answered. A stream that is part of a
  // capture is not asked, as that would spoil the capture: it is not ready.
  hipError_t query(const Table& api, const char** call = nullptr);
};

// Throws when the stream captures or has joined a capture; `what` cannot be done to it, then.
void refuse_capturing(const Table& api, const CommandStream& stream, const char* what);

// Not thread-safe: its tracker's lock is held.
class TrackerSlots {
 public:
  // A pooled slot, or one with a new stream, now acquired.
  TrackerSlot& acquire(const Context& context, Device& device);

  // Null when there is none.
  TrackerSlot* with_ticket(std::uint64_t ticket) const;

  // The acquired slot of a stream; throws when the stream is no acquired one of this tracker.
  TrackerSlot& acquired(const CommandStream& stream, const char* what) const;

  // The same, for a stream that is to be given up. Throws also when it is part of a capture: the
  // next evaluation's work would be captured, and nothing could tell when this one's has ended.
  TrackerSlot& given_up(const Table& api, const CommandStream& stream, const char* what) const;

  // Every draining slot, until `visit` says false.
  void each_draining(const std::function<bool(TrackerSlot&)>& visit) const;
  const std::vector<std::unique_ptr<TrackerSlot>>& all() const { return slots_; }

  int draining() const;
  TrackerState state() const;  // pinned_bytes of the draining ones only

  // Back to the pool, clean: what a former abandonment left must not be read as this one's.
  static Reclaimed retire(TrackerSlot& slot);

 private:
  TrackerSlot* pooled() const;

  std::vector<std::unique_ptr<TrackerSlot>> slots_;
};

}  // namespace hiplab::backend
