// Host callbacks (hipLaunchHostFunc): one thread of the process runs them all, one at a time.
#pragma once

#include "driver/host/queue.h"
#include "driver/rocm_types.h"

namespace hiplab::driver::host {

// The queue of the stream whose callback runs on the calling thread, or null.
const Queue* callback_queue();

// hipErrorNotSupported when the calling thread runs a callback and would wait for the stream that
// the callback holds (`target` is that stream's queue) or for a whole device (`target` is null);
// hipSuccess otherwise. Says on stderr what HIP would do. Every call that waits asks this first.
rocm::hipError_t refused_in_callback(const char* call, const Queue* target);

}  // namespace hiplab::driver::host
