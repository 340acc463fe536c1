// RELAXED_POLL form of the stream tracker (a first revision of MIOpen 12265): done events are
// polled on each launch, under a relaxed capture mode.
#pragma once

#include "backend/capture_guard.h"
#include "backend/event.h"
#include "forms/polling_tracker.h"

namespace hiplab::forms {

// Right for captures. But scratch is freed only by a later launch, so never by a workload that
// tunes, captures and from then on only replays; and the launch that frees it waits for the device.
class RelaxedPollTracker final : public PollingTracker {
 public:
  using PollingTracker::PollingTracker;

  backend::CommandStream* acquire_within(std::optional<std::chrono::nanoseconds> limit) override {
    const backend::RelaxedCapture relaxed(context_.api());
    return PollingTracker::acquire_within(limit);
  }
  void on_launch(backend::hipStream_t stream) override {
    const backend::RelaxedCapture relaxed(context_.api());
    PollingTracker::on_launch(stream);
  }

 protected:
  backend::hipError_t poll(backend::TrackerSlot& slot) const override {
    return slot.query(context_.api());
  }
};

}  // namespace hiplab::forms
