#include "driver/host/capture.h"

#include <algorithm>
#include <utility>

namespace hiplab::driver::host {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

namespace {

thread_local hipStreamCaptureMode mode_of_thread = hipStreamCaptureModeGlobal;

// std::thread::id may be that of a thread that ended; this number is not.
std::uint64_t this_thread() {
  static std::atomic<std::uint64_t> last{0};
  thread_local const std::uint64_t number = ++last;
  return number;
}

void merge(Graph::Nodes& into, const Graph::Nodes& from) {
  for (const auto id : from) {
    if (std::find(into.begin(), into.end(), id) == into.end()) into.push_back(id);
  }
}

bool invalidate_if_active(Capture& capture) { return !std::exchange(capture.invalidated, true); }

// Every branch must have come back to the stream where the capture began.
bool joined(const Graph& graph, const Graph::Nodes& last) {
  for (const auto leaf : graph.leaves()) {
    if (std::find(last.begin(), last.end(), leaf) == last.end()) return false;
  }
  return true;
}

}  // namespace

hipStreamCaptureMode Captures::exchange_mode(hipStreamCaptureMode mode) {
  return std::exchange(mode_of_thread, mode);
}

hipError_t Captures::begin(hipStream_t stream, int device, hipStreamCaptureMode mode) {
  std::lock_guard lock(mutex_);
  if (streams_.contains(stream)) return hipErrorIllegalState;
  auto capture = std::make_shared<Capture>(
      Capture{++last_id_, mode, this_thread(), stream, std::make_shared<Graph>(device)});
  streams_[stream].capture = capture;
  captures_.push_back(std::move(capture));
  open_.fetch_add(1, std::memory_order_relaxed);
  return hipSuccess;
}

hipError_t Captures::end(hipStream_t stream, std::shared_ptr<Graph>& graph) {
  std::lock_guard lock(mutex_);
  const auto it = streams_.find(stream);
  if (it == streams_.end()) return hipErrorIllegalState;
  const std::shared_ptr<Capture> capture = it->second.capture;
  if (capture->origin != stream) return hipErrorStreamCaptureUnmatched;
  if (capture->mode != hipStreamCaptureModeRelaxed && capture->thread != this_thread()) {
    return hipErrorStreamCaptureWrongThread;
  }
  const bool complete = joined(*capture->graph, it->second.last);
  drop(capture);
  if (capture->invalidated) return hipErrorStreamCaptureInvalidated;
  if (!complete) return hipErrorStreamCaptureUnjoined;
  graph = capture->graph;
  return hipSuccess;
}

// Events recorded in the capture are as they were before it, as in the HIP runtime's public source.
void Captures::drop(const std::shared_ptr<Capture>& capture) {
  std::erase_if(streams_, [&](const auto& entry) { return entry.second.capture == capture; });
  std::erase_if(events_, [&](const auto& entry) { return entry.second.capture == capture; });
  std::erase(captures_, capture);
  open_.fetch_sub(1, std::memory_order_relaxed);
}

hipStreamCaptureStatus Captures::status(hipStream_t stream, unsigned long long& id) {
  id = 0;
  std::lock_guard lock(mutex_);
  const auto it = streams_.find(stream);
  if (it == streams_.end()) return hipStreamCaptureStatusNone;
  id = it->second.capture->id;
  return it->second.capture->invalidated ? hipStreamCaptureStatusInvalidated
                                         : hipStreamCaptureStatusActive;
}

bool Captures::capturing(hipStream_t stream) {
  unsigned long long id = 0;
  return open() && status(stream, id) != hipStreamCaptureStatusNone;
}

std::optional<hipError_t> Captures::add(hipStream_t stream, const Queue::Step& step) {
  std::lock_guard lock(mutex_);
  const auto it = streams_.find(stream);
  if (it == streams_.end()) return std::nullopt;
  StreamCapture& part = it->second;
  if (part.capture->invalidated) return hipErrorStreamCaptureInvalidated;
  part.last = {part.capture->graph->add(step, part.last, part.branch)};
  return hipSuccess;
}

std::optional<hipError_t> Captures::add_child(hipStream_t stream, const Graph& child) {
  std::lock_guard lock(mutex_);
  const auto it = streams_.find(stream);
  if (it == streams_.end()) return std::nullopt;
  StreamCapture& part = it->second;
  if (part.capture->invalidated) return hipErrorStreamCaptureInvalidated;
  part.last = part.capture->graph->add_child(child, part.last, part.branch);
  return hipSuccess;
}

std::optional<hipError_t> Captures::record(hipEvent_t event, hipStream_t stream) {
  std::lock_guard lock(mutex_);
  const auto it = streams_.find(stream);
  if (it == streams_.end()) {
    events_.erase(event);
    return std::nullopt;
  }
  if (it->second.capture->invalidated) return hipErrorStreamCaptureInvalidated;
  events_[event] = {it->second.capture, it->second.last};
  return hipSuccess;
}

std::optional<hipError_t> Captures::wait(hipStream_t stream, int device, hipEvent_t event) {
  std::lock_guard lock(mutex_);
  const auto part = streams_.find(stream);
  const auto recorded = events_.find(event);
  if (part != streams_.end() && part->second.capture->invalidated) {
    return hipErrorStreamCaptureInvalidated;
  }
  if (recorded == events_.end()) {
    if (part == streams_.end()) return std::nullopt;
    // Work of the graph would come after work that is not in it.
    part->second.capture->invalidated = true;
    return hipErrorStreamCaptureIsolation;
  }
  const std::shared_ptr<Capture>& capture = recorded->second.capture;
  if (capture->invalidated) return hipErrorStreamCaptureInvalidated;
  if (part == streams_.end()) {
    // The null stream cannot capture, and a graph here is one device's.
    if (stream == nullptr) return hipErrorInvalidHandle;
    if (device != capture->graph->device()) return hipErrorNotSupported;
    streams_[stream] = {capture, recorded->second.after, capture->graph->add_branch()};
    return hipSuccess;
  }
  if (part->second.capture != capture) {
    part->second.capture->invalidated = true;
    capture->invalidated = true;
    return hipErrorStreamCaptureMerge;
  }
  merge(part->second.last, recorded->second.after);
  return hipSuccess;
}

void Captures::forget(hipStream_t stream) {
  if (!open()) return;
  std::lock_guard lock(mutex_);
  const auto it = streams_.find(stream);
  if (it == streams_.end()) return;
  if (const auto capture = it->second.capture; capture->origin == stream) {
    drop(capture);
  } else {
    streams_.erase(it);
  }
}

void Captures::forget(hipEvent_t event) {
  if (!open()) return;
  std::lock_guard lock(mutex_);
  events_.erase(event);
}

bool Captures::invalidate_endangered() {
  if (mode_of_thread == hipStreamCaptureModeRelaxed) return false;
  std::lock_guard lock(mutex_);
  bool found = false;
  for (const auto& capture : captures_) {
    const bool own =
        capture->thread == this_thread() && capture->mode != hipStreamCaptureModeRelaxed;
    const bool global =
        mode_of_thread == hipStreamCaptureModeGlobal && capture->mode == hipStreamCaptureModeGlobal;
    if (own || global) found |= invalidate_if_active(*capture);
  }
  return found;
}

bool Captures::invalidate_all() {
  std::lock_guard lock(mutex_);
  bool found = false;
  for (const auto& capture : captures_) found |= invalidate_if_active(*capture);
  return found;
}

bool Captures::invalidate(hipStream_t stream) {
  std::lock_guard lock(mutex_);
  const auto it = streams_.find(stream);
  if (it == streams_.end()) return false;
  it->second.capture->invalidated = true;
  return true;
}

bool Captures::invalidate(hipEvent_t event) {
  std::lock_guard lock(mutex_);
  const auto it = events_.find(event);
  if (it == events_.end()) return false;
  it->second.capture->invalidated = true;
  return true;
}

Captures& captures() {
  // Leaked: threads may still call while the process exits.
  static auto* const all = new Captures;
  return *all;
}

}  // namespace hiplab::driver::host
