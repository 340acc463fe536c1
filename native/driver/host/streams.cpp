// HIP's stream calls on the software device.
#include <memory>
#include <mutex>

#include "driver/host/capture.h"
#include "driver/host/machine.h"
#include "driver/host/refusal.h"
#include "driver/host/tables.h"

namespace hiplab::driver::host {
namespace {

// The null stream is an ordinary stream of the device: it does not synchronize with others as HIP's
// legacy default stream does.

hipError_t stream_create(hipStream_t* stream, unsigned flags) {
  if (const auto e = refused(Call::create)) return e;
  if (stream == nullptr || (flags & ~hipStreamNonBlocking) != 0) return hipErrorInvalidValue;
  *stream = machine().create_stream(Machine::current_device());
  return hipSuccess;
}

hipError_t stream_destroy(hipStream_t stream) {
  if (const auto e = refused(Call::destroy)) return e;
  captures().forget(stream);
  return machine().destroy_stream(stream) ? hipSuccess : hipErrorInvalidHandle;
}

hipError_t stream_synchronize(hipStream_t stream) {
  if (const auto e = refused(Call::wait, stream)) return e;
  const auto queue = machine().queue(stream);
  return queue == nullptr ? hipErrorInvalidHandle : queue->synchronize();
}

hipError_t stream_query(hipStream_t stream) {
  if (const auto e = refused(Call::query, stream)) return e;
  const auto queue = machine().queue(stream);
  return queue == nullptr ? hipErrorInvalidHandle : queue->query();
}

hipError_t stream_wait_event(hipStream_t stream, hipEvent_t handle, unsigned flags) {
  if (const auto e = refused(Call::enqueue)) return e;
  const auto queue = machine().queue(stream);
  const auto event = machine().event(handle);
  if (queue == nullptr || event == nullptr) return hipErrorInvalidHandle;
  if (flags != 0) return hipErrorInvalidValue;
  if (captures().open()) {
    if (const auto captured = captures().wait(stream, queue->device(), handle)) return *captured;
  }
  std::shared_ptr<Marker> marker;
  {
    std::lock_guard lock(event->mutex);
    marker = event->marker;
  }
  if (marker == nullptr) return hipSuccess;  // never recorded: nothing to wait for
  // The queue waits, not the caller, for the recording made before this call.
  return queue->enqueue([marker] { return marker; });
}

}  // namespace

void fill_streams(Table& t) {
  t.hipStreamCreateWithFlags = stream_create;
  t.hipStreamDestroy = stream_destroy;
  t.hipStreamSynchronize = stream_synchronize;
  t.hipStreamQuery = stream_query;
  t.hipStreamWaitEvent = stream_wait_event;
}

}  // namespace hiplab::driver::host
