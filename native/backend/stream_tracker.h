// Disposable streams for time-bounded evaluation (MIOpen 12265): an evaluation that overruns its
// time is abandoned still running, and its stream and the scratch it pins are reclaimed later.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "backend/check.h"

namespace hiplab::backend {

class CommandStream;
class Event;

// Memory that an evaluation writes, and whoever else shares it. The last owner runs its
// deallocator, which may wait for the whole device (hipFree does) and must make no call that HIP
// refuses during any capture, such as a synchronous copy.
struct Scratch {
  std::shared_ptr<void> memory;
  std::size_t bytes = 0;
};

struct TrackerState {
  int owned = 0;                  // streams, ever; the sum of the next three
  int pooled = 0;                 // ready for the next evaluation
  int acquired = 0;               // in the hands of an evaluation
  int draining = 0;               // abandoned, not known to have ended
  std::int64_t pinned_bytes = 0;  // scratch, abandoned or discarded, that has not been freed
};

// Of one device. Thread-safe, each stream being its evaluation's own between acquire and release
// or abandon.
class StreamTracker {
 public:
  virtual ~StreamTracker() = default;

  // A stream from the pool, or a new one. Waits while the backlog of abandoned streams is at its
  // cap, at most for `limit` where there is one, and tests the backlog at least once: null when it
  // was at the cap all that time. Throws when the device is lost, or gives no stream.
  virtual CommandStream* acquire_within(std::optional<std::chrono::nanoseconds> limit) = 0;

  // The same without a limit.
  CommandStream& acquire() { return *acquire_within(std::nullopt); }

  // release() and abandon() throw, and the stream stays the evaluation's, while it captures or has
  // joined a capture: that must be ended first.

  // The evaluation on the stream has ended in time.
  virtual void release(CommandStream& stream) = 0;

  // The evaluation on the stream is still running and pins `scratch`. `done` was recorded behind
  // its work; null or not recorded when that failed. Does not wait for the device. Takes `scratch`
  // over unless it throws: then it is still the caller's.
  virtual void abandon(CommandStream& stream, Scratch&& scratch, std::unique_ptr<Event> done) = 0;

  // Memory that nothing uses any more, where freeing it must not hold the caller up: hipFree waits
  // for the whole device, and so for every runaway kernel (MIOpen 12265). Forms that have no thread
  // to free it on free it here. Throws nothing but bad_alloc.
  virtual void discard(Scratch&& scratch) = 0;

  // Every launch of the backend passes here before it enqueues on `stream`.
  virtual void on_launch(hipStream_t stream) = 0;

  virtual TrackerState state() const = 0;
};

}  // namespace hiplab::backend
