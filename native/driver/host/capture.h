// Stream captures: which streams record a graph, and what belongs to it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "driver/host/graph.h"
#include "driver/rocm_types.h"

namespace hiplab::driver::host {

// One capture, from hipStreamBeginCapture to hipStreamEndCapture.
struct Capture {
  unsigned long long id;  // unique in the process, never 0
  rocm::hipStreamCaptureMode mode;
  std::uint64_t thread;  // the one that began it
  rocm::hipStream_t origin;
  std::shared_ptr<Graph> graph;
  bool invalidated = false;
};

// A stream's part in a capture: its next node comes after `last`.
struct StreamCapture {
  std::shared_ptr<Capture> capture;
  Graph::Nodes last;
  int branch = 0;
};

// An event's recording in a capture: whoever waits for it comes after `after`.
struct EventCapture {
  std::shared_ptr<Capture> capture;
  Graph::Nodes after;
};

// The captures of the process. Thread-safe; no member waits for anything.
class Captures {
 public:
  // Whether any stream captures: a relaxed load, so that calls cost nothing more without captures.
  bool open() const { return open_.load(std::memory_order_relaxed) != 0; }

  // Sets how the calling thread's calls heed captures; returns what it was (Global at first).
  static rocm::hipStreamCaptureMode exchange_mode(rocm::hipStreamCaptureMode mode);

  rocm::hipError_t begin(rocm::hipStream_t stream, int device, rocm::hipStreamCaptureMode mode);
  // On success `graph` is set. Also ends the capture: hipErrorStreamCaptureInvalidated and
  // hipErrorStreamCaptureUnjoined. It goes on after any other error.
  rocm::hipError_t end(rocm::hipStream_t stream, std::shared_ptr<Graph>& graph);

  // None and 0 for a stream that does not capture.
  rocm::hipStreamCaptureStatus status(rocm::hipStream_t stream, unsigned long long& id);
  bool capturing(rocm::hipStream_t stream);

  // Work on a stream. Empty when the stream does not capture: the work is the caller's, then. Else
  // the work became a node (hipSuccess), or is refused.
  std::optional<rocm::hipError_t> add(rocm::hipStream_t stream, const Queue::Step& step);
  std::optional<rocm::hipError_t> add_child(rocm::hipStream_t stream, const Graph& child);
  std::optional<rocm::hipError_t> record(rocm::hipEvent_t event, rocm::hipStream_t stream);
  // Draws `stream` into the capture in which the event was recorded. Empty when neither the stream
  // nor the event is part of a capture.
  std::optional<rocm::hipError_t> wait(rocm::hipStream_t stream, int device,
                                       rocm::hipEvent_t event);

  // A capture that a destroyed stream began ends with it; of one that it was drawn into, its work
  // stays, unjoined.
  void forget(rocm::hipStream_t stream);
  void forget(rocm::hipEvent_t event);

  // Captures that a call of this thread must not meet: its own unless Relaxed, and, when the
  // thread's mode is Global, those of other threads that are Global; none when the thread's mode is
  // Relaxed. Returns whether there were any; they are invalid now.
  bool invalidate_endangered();
  // The captures that are not invalid yet, whatever their modes.
  bool invalidate_all();
  // The capture of that stream or event, if any.
  bool invalidate(rocm::hipStream_t stream);
  bool invalidate(rocm::hipEvent_t event);

 private:
  void drop(const std::shared_ptr<Capture>& capture);

  std::atomic<int> open_{0};
  std::mutex mutex_;
  unsigned long long last_id_ = 0;
  std::vector<std::shared_ptr<Capture>> captures_;
  std::unordered_map<rocm::hipStream_t, StreamCapture> streams_;
  std::unordered_map<rocm::hipEvent_t, EventCapture> events_;
};

Captures& captures();

}  // namespace hiplab::driver::host
