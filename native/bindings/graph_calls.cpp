// hiplab.h: captures and graphs.
#include <mutex>

#include "backend/capture_status.h"
#include "bindings/checks.h"
#include "bindings/hiplab.h"

namespace hiplab::bindings {

using namespace hiplab::rocm;  // NOLINT: driver code is written in ROCm's own names

namespace {

// Of the stream, whichever stream its capture began on.
hipStreamCaptureStatus status_of(const StreamRef& s) {
  return backend::capture_status(s.owner->backend->api(), {s.stream->device(), s.stream->get()});
}

}  // namespace

void beginCapture(StreamRef* stream, int mode) {
  StreamRef& s = required(stream, "stream");
  if (mode < hipStreamCaptureModeGlobal || mode > hipStreamCaptureModeRelaxed) {
    throw Error("capture mode is " + std::to_string(mode) +
                ", allowed are 0 (global), 1 (thread-local) and 2 (relaxed)");
  }
  const std::lock_guard lock(s.capture_mutex);
  if (s.capture) throw Error("the stream is capturing already: end that capture first");
  s.capture = s.owner->backend->capture(*s.stream, static_cast<hipStreamCaptureMode>(mode));
}

GraphRef* endCapture(StreamRef* stream) {
  StreamRef& s = required(stream, "stream");
  const std::lock_guard lock(s.capture_mutex);
  if (!s.capture) {
    if (status_of(s) == hipStreamCaptureStatusNone) {
      throw Error("the stream is not capturing: begin a capture first");
    }
    throw Error(
        "the stream has joined a capture that began on another stream, by waiting for an event "
        "recorded in it: end the capture on that stream");
  }
  std::unique_ptr<backend::Graph> graph;
  try {
    graph = s.capture->end();
  } catch (...) {
    if (!s.capture->open()) s.capture.reset();  // the wrong thread leaves it going
    throw;
  }
  s.capture.reset();
  return new GraphRef{s.owner, Use(s.owner->graphs), std::move(graph)};
}

int captureStatus(StreamRef* stream) {
  // The driver's word: a stream that has joined another one's capture has none of its own.
  return status_of(required(stream, "stream"));
}

void launchGraph(GraphRef* graph, StreamRef* stream) {
  const GraphRef& g = required(graph, "graph");
  const StreamRef& s = required(stream, "stream");
  require_same_backend(s.owner, g.owner, "graph");
  g.graph->launch(*s.stream);
}

void destroyGraph(GraphRef* graph) {
  required(graph, "graph");
  delete graph;
}

}  // namespace hiplab::bindings
