// SKIP_CAPTURING form of the stream tracker (a first revision of MIOpen 12265): no poll while the
// launching stream captures.
#pragma once

#include "forms/polling_tracker.h"

namespace hiplab::forms {

// Does not see a capture on another stream or thread, which the poll still ends.
class SkipCapturingTracker final : public PollingTracker {
 public:
  using PollingTracker::PollingTracker;

  void on_launch(backend::hipStream_t stream) override {
    backend::hipStreamCaptureStatus capture = backend::hipStreamCaptureStatusNone;
    if (context_.api().hipStreamGetCaptureInfo(stream, &capture, nullptr) != backend::hipSuccess ||
        capture != backend::hipStreamCaptureStatusNone) {
      return;
    }
    PollingTracker::on_launch(stream);
  }
};

}  // namespace hiplab::forms
