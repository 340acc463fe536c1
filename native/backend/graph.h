// Work captured from a stream, and launched again and again.
#pragma once

#include <memory>

#include "backend/command_stream.h"
#include "backend/context.h"
#include "backend/owned.h"

namespace hiplab::backend {

// An executable graph. It owns the workspace that its GEMMs were captured with, and so may outlive
// the stream that it was captured on: two graphs that share one corrupt each other when they run at
// once (measured on an H200), and one may be freed under the other (pytorch 193402).
class Graph {
 public:
  // Instantiates `graph`; whatever becomes of it, the handle is destroyed. `workspace` may be null.
  Graph(const Context& context, int device, hipGraph_t graph, std::shared_ptr<void> workspace);
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  int device() const { return device_; }

  // Enqueues the whole graph on a stream of its device. Its launches run one after another, on
  // whatever streams; those of other graphs at the same time. The buffers that it was captured with
  // must live until it has run. Throws on a capturing stream when the graph has a workspace: it is
  // this graph's alone.
  void launch(const CommandStream& stream);

 private:
  const Context context_;
  const int device_;
  OwnedGraphExec exec_;
  // Freed first: freeing waits for the device, and so for launches that still run.
  const std::shared_ptr<void> workspace_;
};

// A capture of what is enqueued on a stream, from construction to end(). To be used by the thread
// that made it; the stream must outlive it.
class Capture {
 public:
  // Global: HIP refuses calls that could wait or allocate, on any thread (hipErrorStream-
  // CaptureUnsupported), and the capture is then invalid; ThreadLocal: on this thread only;
  // Relaxed: nowhere.
  Capture(const Context& context, const CommandStream& stream, hipStreamCaptureMode mode);

  // A capture that has not been ended is ended and discarded, and that is told on stderr.
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  // Throws when the capture has become invalid, or the graph cannot be instantiated. The stream
  // does not capture any more, then.
  std::unique_ptr<Graph> end();

  // Until it has been ended: not by an end() from the wrong thread, which HIP refuses.
  bool open() const { return open_; }

  // Active, or Invalidated once a refused call has spoilt it; None after end().
  hipStreamCaptureStatus status() const;

 private:
  // Ends the capture on the stream, whatever its state. Destroys nothing.
  hipError_t end_on_stream(hipGraph_t* graph);
  // Tells the device's parts; returns the workspace that is the graph's.
  std::shared_ptr<void> parts_ended(bool graph);

  const Context context_;
  const CommandStream& stream_;
  bool open_ = false;
};

}  // namespace hiplab::backend
