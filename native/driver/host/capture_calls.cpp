// HIP's stream capture calls on the software device.
#include <memory>

#include "driver/host/capture.h"
#include "driver/host/graph_handles.h"
#include "driver/host/machine.h"
#include "driver/host/refusal.h"
#include "driver/host/tables.h"

namespace hiplab::driver::host {
namespace {

bool valid(hipStreamCaptureMode mode) {
  return mode >= hipStreamCaptureModeGlobal && mode <= hipStreamCaptureModeRelaxed;
}

// Statuses as the HIP runtime's public source has them, but for dead handles, which are
// hipErrorInvalidHandle here as in every other call.
hipError_t begin_capture(hipStream_t stream, hipStreamCaptureMode mode) {
  if (const auto e = refused(Call::inform)) return e;
  if (stream == nullptr) return hipErrorStreamCaptureUnsupported;
  if (!valid(mode)) return hipErrorInvalidValue;
  const auto queue = machine().queue(stream);
  if (queue == nullptr) return hipErrorInvalidHandle;
  return captures().begin(stream, queue->device(), mode);
}

// Null is written where the capture ends without a graph.
hipError_t end_capture(hipStream_t stream, hipGraph_t* graph) {
  if (const auto e = refused(Call::inform)) return e;
  if (graph == nullptr) return hipErrorInvalidValue;
  if (stream == nullptr) return hipErrorIllegalState;
  if (machine().queue(stream) == nullptr) return hipErrorInvalidHandle;
  std::shared_ptr<Graph> captured;
  const hipError_t ended = captures().end(stream, captured);
  if (ended == hipSuccess) *graph = graph_handles().graphs.add(std::move(captured));
  if (ended == hipErrorStreamCaptureInvalidated || ended == hipErrorStreamCaptureUnjoined) {
    *graph = nullptr;
  }
  return ended;
}

hipError_t capture_info(hipStream_t stream, hipStreamCaptureStatus* status,
                        unsigned long long* id) {
  if (const auto e = refused(Call::inform)) return e;
  if (status == nullptr) return hipErrorInvalidValue;
  if (machine().queue(stream) == nullptr) return hipErrorInvalidHandle;
  unsigned long long capture = 0;
  *status = captures().status(stream, capture);
  if (id != nullptr) *id = capture;
  return hipSuccess;
}

hipError_t exchange_mode(hipStreamCaptureMode* mode) {
  if (const auto e = refused(Call::inform)) return e;
  if (mode == nullptr || !valid(*mode)) return hipErrorInvalidValue;
  *mode = Captures::exchange_mode(*mode);
  return hipSuccess;
}

}  // namespace

void fill_captures(Table& t) {
  t.hipStreamBeginCapture = begin_capture;
  t.hipStreamEndCapture = end_capture;
  t.hipStreamGetCaptureInfo = capture_info;
  t.hipThreadExchangeStreamCaptureMode = exchange_mode;
}

}  // namespace hiplab::driver::host
