// HIP's stream-ordered memory on the software device: hipMallocAsync and hipFreeAsync.
//
// A block may be used by what follows on its stream, and by others that wait for it (HIP
// documentation). Here it is there at once. It goes back to its device's pool when its stream
// reaches the free, and may be handed out again from then on: whoever still uses it reads and
// writes another call's memory. The pool is emptied when the device's memory runs out and by
// hipDeviceSynchronize (assumed: the documented default keeps nothing beyond a synchronization).
//
// In a capture HIP makes a node that allocates for the graph. The software device has no such node:
// hipMallocAsync on a capturing stream is refused with hipErrorNotSupported, which is one of its
// documented errors, and the capture goes on.
#include "driver/host/capture.h"
#include "driver/host/machine.h"
#include "driver/host/refusal.h"
#include "driver/host/submit.h"
#include "driver/host/tables.h"

namespace hiplab::driver::host {
namespace {

hipError_t malloc_async(void** ptr, size_t bytes, hipStream_t stream) {
  if (const auto e = refused(Call::enqueue)) return e;
  if (ptr == nullptr) return hipErrorInvalidValue;
  const auto queue = machine().queue(stream);
  if (queue == nullptr) return hipErrorInvalidHandle;
  if (captures().capturing(stream)) return hipErrorNotSupported;
  return machine().memory().allocate_pooled(queue->device(), bytes, ptr);
}

hipError_t free_async(void* ptr, hipStream_t stream) {
  if (const auto e = refused(Call::enqueue)) return e;
  const auto queue = machine().queue(stream);
  if (queue == nullptr) return hipErrorInvalidHandle;
  if (ptr == nullptr) return hipSuccess;
  // In a capture only what the graph allocated may be freed (HIP documentation): nothing, here.
  if (captures().capturing(stream)) return hipErrorInvalidValue;
  if (machine().memory().claim(ptr) < 0) return hipErrorInvalidValue;
  const hipError_t queued =
      submit(stream, queue->device(), [ptr] { machine().memory().pool(ptr); });
  if (queued != hipSuccess) machine().memory().unclaim(ptr);
  return queued;
}

}  // namespace

void fill_memory_pool(Table& t) {
  t.hipMallocAsync = malloc_async;
  t.hipFreeAsync = free_async;
}

}  // namespace hiplab::driver::host
