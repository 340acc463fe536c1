// The one door through which calls put work on a stream.
#pragma once

#include "driver/host/queue.h"
#include "driver/rocm_types.h"

namespace hiplab::driver::host {

// Puts a step on the stream's queue; on a stream that captures, makes it a node of the graph, so a
// step must be fit to run many times. A null stream means the default stream of `device`.
// hipErrorInvalidHandle for a stream that is not alive or not of that device; hipErrorOutOfMemory
// when there is no thread or memory for it; hipErrorStreamCaptureInvalidated on a stream whose
// capture is lost. On an error nothing has been enqueued.
rocm::hipError_t submit(rocm::hipStream_t stream, int device, Queue::Step step);

}  // namespace hiplab::driver::host
