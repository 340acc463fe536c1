// Host callbacks (hipLaunchHostFunc): one thread of the process runs them all, one at a time.
#pragma once

#include "driver/host/queue.h"
#include "driver/rocm_types.h"

namespace hiplab::driver::host {

// The queue of the stream whose callback runs on the calling thread, or null.
const Queue* callback_queue();

// What a call returns that would never return under HIP, because the callback that makes it is
// waited for: hipErrorNotSupported. Says so on stderr.
rocm::hipError_t refuse_in_callback(const char* call);

// refuse_in_callback() when the calling thread runs a callback and would wait for the stream that
// the callback holds (`target` is that stream's queue) or for a whole device (`target` is null);
// hipSuccess otherwise. Every call that waits asks this first.
rocm::hipError_t refused_in_callback(const char* call, const Queue* target);

}  // namespace hiplab::driver::host
