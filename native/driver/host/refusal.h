// Which HIP calls are refused now: the first line of those that a stream capture
// may forbid, on the software device.
#pragma once

#include "driver/rocm_types.h"

namespace hiplab::driver::host {

// Calls by what they do to the device. What each means during a stream capture is data
// (refusal.cpp).
enum class Call {
  inform,             // devices, versions, capture status: asks nothing of the device
  enqueue,            // puts work on a stream
  create,             // streams, events
  destroy,            // streams, events
  query,              // hipStreamQuery, hipEventQuery
  wait,               // hipStreamSynchronize, hipEventSynchronize
  allocate,           // hipMalloc, hipHostMalloc
  free,               // hipFree, hipHostFree
  synchronous_copy,   // hipMemcpy, hipMemset
  synchronize_device  // hipDeviceSynchronize
};

// hipSuccess, or the error that the call must return at once. A call that a stream capture refuses
// invalidates the captures that it endangers. Costs a relaxed load while nothing can refuse.
rocm::hipError_t refused(Call call);

// The same for a call on one stream: to query or wait for a stream that captures is refused in
// every mode, and invalidates its capture.
rocm::hipError_t refused(Call call, rocm::hipStream_t stream);

// The same for a call on one event: one that was last recorded in a capture that is still open
// cannot be queried or waited for (hipErrorCapturedEvent), and trying invalidates the capture.
rocm::hipError_t refused(Call call, rocm::hipEvent_t event);

}  // namespace hiplab::driver::host
