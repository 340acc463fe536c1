#include "backend/graph.h"

#include <cstdio>
#include <utility>

#include "backend/capture_status.h"
#include "backend/device_guard.h"
#include "sync/point.h"

namespace hiplab::backend {

Graph::Graph(const Context& context, int device, hipGraph_t handle, std::shared_ptr<void> workspace)
    : context_(context), device_(device), workspace_(std::move(workspace)) {
  const OwnedGraph graph(context.api(), handle);
  const DeviceGuard current(context.api(), device);
  hipGraphExec_t exec = nullptr;
  HIPLAB_CHECK(context.api(), Where{device}, hipGraphInstantiate, &exec, handle, nullptr, nullptr,
               0);
  exec_ = OwnedGraphExec(context.api(), exec);
}

void Graph::launch(const CommandStream& stream) {
  if (stream.device() != device_) {
    throw Error("a graph of device " + std::to_string(device_) +
                " cannot be launched on a stream of device " + std::to_string(stream.device()) +
                ", allowed are streams of its own device");
  }
  if (workspace_ != nullptr && capturing(context_.api(), {device_, stream.get()})) {
    throw Error(
        "a graph whose GEMMs use a workspace cannot be launched on a capturing stream: the graph "
        "that came of it would share the workspace; enqueue the GEMMs themselves there");
  }
  HIPLAB_POINT("graph.launch");
  HIPLAB_CHECK(context_.api(), (Where{device_, stream.get()}), hipGraphLaunch, exec_.get(),
               stream.get());
}

Capture::Capture(const Context& context, const CommandStream& stream, hipStreamCaptureMode mode)
    : context_(context), stream_(stream) {
  if (status() != hipStreamCaptureStatusNone) {
    throw Error("a stream of device " + std::to_string(stream.device()) +
                " is capturing already: end that capture before another one begins on it");
  }
  // First: from then on nobody waits for the stream, which would end the capture.
  stream.owner().encoders().capture_begins(stream.get());
  try {
    stream.owner().workspaces().capture_begins(stream.get());
  } catch (...) {
    stream.owner().encoders().capture_ended(stream.get());
    throw;
  }
  try {
    HIPLAB_CHECK(context.api(), (Where{stream.device(), stream.get()}), hipStreamBeginCapture,
                 stream.get(), mode);
  } catch (...) {
    (void)parts_ended(false);
    throw;
  }
  open_ = true;
  HIPLAB_POINT("capture.begun");
}

std::shared_ptr<void> Capture::parts_ended(bool graph) {
  std::shared_ptr<void> workspace =
      stream_.owner().workspaces().capture_ended(stream_.get(), graph);
  stream_.owner().encoders().capture_ended(stream_.get());
  return workspace;
}

hipError_t Capture::end_on_stream(hipGraph_t* graph) {
  HIPLAB_POINT("capture.end");
  const hipError_t status = context_.api().hipStreamEndCapture(stream_.get(), graph);
  // Some refusals (the wrong thread) leave it going.
  open_ = !succeeded(status) && known_to_capture(context_.api(), stream_.get());
  return status;
}

Capture::~Capture() {
  if (!open_) return;
  hipGraph_t graph = nullptr;
  const hipError_t status = end_on_stream(&graph);
  std::fprintf(stderr,
               "warning: a capture on stream %p of device %d %s: hipStreamEndCapture returned %s\n",
               static_cast<void*>(stream_.get()), stream_.device(),
               open_ ? "could not be ended" : "was discarded, as it was not ended",
               status_name(context_.api(), status).c_str());
  (void)OwnedGraph(context_.api(), graph);
  // A capture that cannot be ended keeps its workspace: later work may still be captured with it.
  if (!open_) (void)parts_ended(false);
}

std::unique_ptr<Graph> Capture::end() {
  if (!open_)
    throw Error("the capture has been ended already: begin another one for another graph");
  hipGraph_t graph = nullptr;
  const hipError_t status = end_on_stream(&graph);
  std::shared_ptr<void> workspace;
  if (!open_) {
    workspace = parts_ended(succeeded(status));
  }
  check(context_.api(), status, "hipStreamEndCapture", Where{stream_.device(), stream_.get()});
  return std::make_unique<Graph>(context_, stream_.device(), graph, std::move(workspace));
}

hipStreamCaptureStatus Capture::status() const {
  return capture_status(context_.api(), {stream_.device(), stream_.get()});
}

}  // namespace hiplab::backend
