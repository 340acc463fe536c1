// HIP's stream calls on the software device.
#include <memory>
#include <mutex>

#include "driver/host/machine.h"
#include "driver/host/tables.h"

namespace hiplab::driver::host {
namespace {

// The null stream is an ordinary stream of the device: it does not synchronize with others as HIP's
// legacy default stream does.

hipError_t stream_create(hipStream_t* stream, unsigned flags) {
  if (stream == nullptr || (flags & ~hipStreamNonBlocking) != 0) return hipErrorInvalidValue;
  *stream = machine().create_stream(Machine::current_device());
  return hipSuccess;
}

hipError_t stream_destroy(hipStream_t stream) {
  return machine().destroy_stream(stream) ? hipSuccess : hipErrorInvalidHandle;
}

hipError_t stream_synchronize(hipStream_t stream) {
  const auto queue = machine().queue(stream);
  return queue == nullptr ? hipErrorInvalidHandle : queue->synchronize();
}

hipError_t stream_query(hipStream_t stream) {
  const auto queue = machine().queue(stream);
  return queue == nullptr ? hipErrorInvalidHandle : queue->query();
}

hipError_t stream_wait_event(hipStream_t stream, hipEvent_t handle, unsigned flags) {
  const auto queue = machine().queue(stream);
  const auto event = machine().event(handle);
  if (queue == nullptr || event == nullptr) return hipErrorInvalidHandle;
  if (flags != 0) return hipErrorInvalidValue;
  std::shared_ptr<Marker> marker;
  {
    std::lock_guard lock(event->mutex);
    marker = event->marker;
  }
  if (marker == nullptr) return hipSuccess;  // never recorded: nothing to wait for
  // The queue waits, not the caller, for the recording made before this call.
  return queue->enqueue([marker] { return marker; });
}

// No call of the table begins a capture, so no stream is ever capturing.
hipError_t stream_capture_info(hipStream_t stream, hipStreamCaptureStatus* status,
                               unsigned long long* id) {
  if (status == nullptr) return hipErrorInvalidValue;
  if (machine().queue(stream) == nullptr) return hipErrorInvalidHandle;
  *status = hipStreamCaptureStatusNone;
  if (id != nullptr) *id = 0;
  return hipSuccess;
}

}  // namespace

void fill_streams(Table& t) {
  t.hipStreamCreateWithFlags = stream_create;
  t.hipStreamDestroy = stream_destroy;
  t.hipStreamSynchronize = stream_synchronize;
  t.hipStreamQuery = stream_query;
  t.hipStreamWaitEvent = stream_wait_event;
  t.hipStreamGetCaptureInfo = stream_capture_info;
}

}  // namespace hiplab::driver::host
