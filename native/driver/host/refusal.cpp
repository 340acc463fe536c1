#include "driver/host/refusal.h"

#include "driver/host/capture.h"
#include "driver/host/fault.h"

namespace hiplab::driver::host {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

namespace {

// What a call means while streams capture.
enum class Rule {
  harmless,     // goes on
  unsafe,       // refused as the capture modes say
  any_capture,  // refused while any stream of the process captures, whatever the modes
};

struct Consequence {
  Rule rule;
  hipError_t error;
};

Consequence during_capture(Call call) {
  switch (call) {
    // Neither the HIP runtime's public source nor its documentation restricts these.
    case Call::inform:
    case Call::enqueue:
    case Call::create:
    case Call::destroy:
      break;
    // Measured on an H200: 900, and EndCapture returns 901. The HIP runtime's public source agrees.
    case Call::query:
    case Call::wait:
    case Call::allocate:
    case Call::free:
      return {Rule::unsafe, hipErrorStreamCaptureUnsupported};
    // MIOpen 12265: refused during any capture regardless of its mode, and every capture of the
    // process is lost. The numbers are those of the HIP runtime's public source.
    case Call::synchronous_copy:
      return {Rule::any_capture, hipErrorStreamCaptureImplicit};
    case Call::synchronize_device:
      return {Rule::any_capture, hipErrorStreamCaptureUnsupported};
  }
  return {Rule::harmless, hipSuccess};
}

}  // namespace

hipError_t refused(Call call) {
  if (faulted()) return hipErrorIllegalAddress;
  if (!captures().open()) return hipSuccess;
  const Consequence during = during_capture(call);
  switch (during.rule) {
    case Rule::harmless:
      return hipSuccess;
    case Rule::unsafe:
      return captures().invalidate_endangered() ? during.error : hipSuccess;
    case Rule::any_capture:
      return captures().invalidate_all() ? during.error : hipSuccess;
  }
  return hipSuccess;
}

hipError_t refused(Call call, hipStream_t stream) {
  const Consequence during = during_capture(call);
  if (captures().open() && during.rule == Rule::unsafe && captures().invalidate(stream)) {
    return during.error;
  }
  return refused(call);
}

hipError_t refused(Call call, hipEvent_t event) {
  if (captures().open() && during_capture(call).rule == Rule::unsafe &&
      captures().invalidate(event)) {
    return hipErrorCapturedEvent;
  }
  return refused(call);
}

}  // namespace hiplab::driver::host
