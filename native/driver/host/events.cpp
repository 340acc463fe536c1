// HIP's event calls on the software device.
#include <chrono>
#include <memory>
#include <mutex>
#include <utility>

#include "driver/host/capture.h"
#include "driver/host/machine.h"
#include "driver/host/refusal.h"
#include "driver/host/tables.h"

namespace hiplab::driver::host {
namespace {

hipError_t event_create(hipEvent_t* event, unsigned flags) {
  if (const auto e = refused(Call::create)) return e;
  if (event == nullptr || (flags & ~hipEventDisableTiming) != 0) return hipErrorInvalidValue;
  *event = machine().create_event(Machine::current_device(), flags == hipEventDefault);
  return hipSuccess;
}

hipError_t event_destroy(hipEvent_t event) {
  if (const auto e = refused(Call::destroy)) return e;
  captures().forget(event);
  return machine().destroy_event(event) ? hipSuccess : hipErrorInvalidHandle;
}

hipError_t event_record(hipEvent_t handle, hipStream_t stream) {
  if (const auto e = refused(Call::enqueue)) return e;
  const auto event = machine().event(handle);
  const auto queue = machine().queue(stream);
  if (event == nullptr || queue == nullptr || queue->device() != event->device) {
    return hipErrorInvalidHandle;
  }
  if (captures().open()) {
    if (const auto captured = captures().record(handle, stream)) return *captured;
  }
  auto marker = std::make_shared<Marker>(queue);
  // Enqueued before it is published: whoever finds the marker finds it ahead of any step that will
  // wait for it, so that queues never wait in a circle.
  const hipError_t queued = queue->enqueue([marker] { marker->complete(); });
  if (queued != hipSuccess) return queued;
  std::lock_guard lock(event->mutex);
  event->marker = std::move(marker);
  return hipSuccess;
}

// The event's last recording. False for a handle that is not alive.
bool find_marker(hipEvent_t handle, std::shared_ptr<Marker>& marker) {
  const auto event = machine().event(handle);
  if (event == nullptr) return false;
  std::lock_guard lock(event->mutex);
  marker = event->marker;
  return true;
}

hipError_t event_query(hipEvent_t event) {
  if (const auto e = refused(Call::query, event)) return e;
  std::shared_ptr<Marker> marker;
  if (!find_marker(event, marker)) return hipErrorInvalidHandle;
  return marker == nullptr || marker->done() ? hipSuccess : hipErrorNotReady;
}

hipError_t event_synchronize(hipEvent_t event) {
  if (const auto e = refused(Call::wait, event)) return e;
  std::shared_ptr<Marker> marker;
  if (!find_marker(event, marker)) return hipErrorInvalidHandle;
  return marker == nullptr ? hipSuccess : marker->wait();
}

hipError_t event_elapsed(float* ms, hipEvent_t start, hipEvent_t stop) {
  if (const auto e = refused(Call::inform)) return e;
  if (ms == nullptr) return hipErrorInvalidValue;
  const auto first = machine().event(start);
  const auto second = machine().event(stop);
  if (first == nullptr || second == nullptr || !first->timing || !second->timing ||
      first->device != second->device) {
    return hipErrorInvalidHandle;
  }
  std::shared_ptr<Marker> from;
  std::shared_ptr<Marker> to;
  find_marker(start, from);
  find_marker(stop, to);
  if (from == nullptr || to == nullptr) return hipErrorInvalidHandle;  // not recorded
  if (!from->done() || !to->done()) return hipErrorNotReady;
  *ms = std::chrono::duration<float, std::milli>(to->time() - from->time()).count();
  return hipSuccess;
}

}  // namespace

void fill_events(Table& t) {
  t.hipEventCreateWithFlags = event_create;
  t.hipEventDestroy = event_destroy;
  t.hipEventRecord = event_record;
  t.hipEventQuery = event_query;
  t.hipEventSynchronize = event_synchronize;
  t.hipEventElapsedTime = event_elapsed;
}

}  // namespace hiplab::driver::host
