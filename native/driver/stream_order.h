// What is known to come after what: the work of streams, as waits and events order it.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "driver/rocm_types.h"

namespace hiplab::driver {

// Counts uses on each stream and follows the calls that order them. A stream is known by the place
// of its creation, not by its handle, whose value may be given to a later stream. Not thread-safe:
// its owner locks.
class StreamOrder {
 public:
  // One piece of work: the nth use on a stream. Stream 0: none.
  struct Use {
    std::uint64_t stream = 0;
    std::uint64_t number = 0;
    std::uint64_t capture = 0;  // 0: it was not captured
  };
  // Of each stream, up to which use. At most one entry a stream.
  using Reach = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

  Use next_use(rocm::hipStream_t stream);
  // Whether `earlier` is done, will be before later work of the stream begins, or never runs. What
  // was captured is not done when a wait ends: its graph may be launched again.
  bool before(const Use& earlier, rocm::hipStream_t stream);

  void stream_made(rocm::hipStream_t stream, int device);
  // Before the call that destroys it; pass what comes back to stream_stays() if that is refused.
  auto stream_gone(rocm::hipStream_t stream) { return streams_.extract(stream); }
  template <typename Gone>
  void stream_stays(Gone gone) {
    streams_.insert(std::move(gone));
  }

  // What the stream's work so far comes after, its own included.
  Reach reach(rocm::hipStream_t stream);
  Reach reach_of_device(int device) const;  // of all its streams
  Reach reach_of_event(rocm::hipEvent_t event) const;
  void host_waited(const Reach& reach);

  void recorded(rocm::hipEvent_t event, rocm::hipStream_t stream);
  void waits(rocm::hipStream_t stream, rocm::hipEvent_t event);
  void event_gone(rocm::hipEvent_t event) { events_.erase(event); }

  void capture_begun(rocm::hipStream_t stream);
  void capture_ended(rocm::hipStream_t stream, rocm::hipGraph_t graph);  // null: without a graph
  void graph_instantiated(rocm::hipGraph_t graph) { graphs_.erase(graph); }
  void graph_gone(rocm::hipGraph_t graph);  // what was captured never runs, unless instantiated

 private:
  struct Stream {
    std::uint64_t id = 0;
    int device = -1;  // not known
    std::uint64_t uses = 0;
    std::uint64_t capture = 0;
    Reach known;  // uses of other streams that its later work comes after
  };
  struct Event {
    Reach reach;
    std::uint64_t capture = 0;
  };

  Stream& known_stream(rocm::hipStream_t stream);
  bool done(std::uint64_t stream, std::uint64_t number) const;
  Reach reach(const Stream& stream) const;

  std::uint64_t last_id_ = 0;  // of streams and captures
  std::unordered_map<rocm::hipStream_t, Stream> streams_;
  std::unordered_map<rocm::hipEvent_t, Event> events_;
  std::unordered_map<std::uint64_t, std::uint64_t> done_;       // by stream, up to which use
  std::unordered_set<std::uint64_t> captures_;                  // those whose work may run
  std::unordered_map<rocm::hipGraph_t, std::uint64_t> graphs_;  // not instantiated so far
};

}  // namespace hiplab::driver
