// Relaxed capture mode for a scope on this thread: its calls are not refused because some stream is
// capturing, and so do not invalidate that capture (MIOpen 12265).
#pragma once

#include "backend/check.h"

namespace hiplab::backend {

// Throws nothing: where the mode cannot be exchanged the device is lost, and the call that the
// guard is for says so itself.
class RelaxedCapture {
 public:
  explicit RelaxedCapture(const Table& api) noexcept : api_(api) {
    exchanged_ = api_.hipThreadExchangeStreamCaptureMode != nullptr &&
                 succeeded(api_.hipThreadExchangeStreamCaptureMode(&mode_));
  }
  ~RelaxedCapture() {
    if (exchanged_) (void)api_.hipThreadExchangeStreamCaptureMode(&mode_);
  }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  const Table& api_;
  hipStreamCaptureMode mode_ = hipStreamCaptureModeRelaxed;  // then the mode to come back to
  bool exchanged_ = false;
};

}  // namespace hiplab::backend
