#include "driver/host/submit.h"

#include <utility>

#include "driver/gemm_stream.h"
#include "driver/host/capture.h"
#include "driver/host/machine.h"
#include "sync/trace.h"

namespace hiplab::driver::host {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

hipError_t submit(hipStream_t stream, int device, Queue::Step step) {
  Submissions::note(stream);
  const auto queue = machine().queue(stream, device);
  if (queue == nullptr || queue->device() != device) return hipErrorInvalidHandle;
  sync::TracedCall* const call = sync::TracedCall::current();
  if (call != nullptr) {
    call->went_to(queue->number());
    step.name = call->label();  // a graph's node keeps it
  }
  if (captures().open()) {
    if (const auto captured = captures().add(stream, step)) return *captured;
  }
  return queue->enqueue(std::move(step));
}

}  // namespace hiplab::driver::host
