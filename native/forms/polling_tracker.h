// FILED form of the stream tracker (MIOpen 9513, before 12265): abandoned streams are polled on
// each launch, and what they pinned is freed there.
#pragma once

#include "backend/backlog.h"
#include "backend/context.h"
#include "backend/device.h"
#include "backend/stream_tracker.h"
#include "backend/tracker_slots.h"
#include "sync/condition_variable.h"
#include "sync/mutex.h"

namespace hiplab::forms {

// A launch that polls is refused during a capture, and the refusal invalidates that capture. With
// the lock that a first revision of the fix added (as filed there was none), so that what is freed
// under it can be seen.
class PollingTracker : public backend::StreamTracker {
 public:
  PollingTracker(const backend::Context& context, backend::Device& device,
                 int max_draining = backend::default_max_draining());
  ~PollingTracker() override;

  // Waits for the backlog, whatever the poll answers: on a lost device for ever.
  backend::CommandStream* acquire_within(std::optional<std::chrono::nanoseconds> limit) override;
  void release(backend::CommandStream& stream) override;
  void abandon(backend::CommandStream& stream, backend::Scratch&& scratch,
               std::unique_ptr<backend::Event> done) override;
  void discard(backend::Scratch&& scratch) override;
  void on_launch(backend::hipStream_t stream) override;
  backend::TrackerState state() const override;

 protected:
  // What the abandoned work answers: success, not ready, or an error.
  virtual backend::hipError_t poll(backend::TrackerSlot& slot) const;

  const backend::Context context_;
  backend::Device& device_;

 private:
  void sweep_locked();

  const int max_draining_;
  mutable sync::Mutex mutex_{"stream tracker"};
  sync::ConditionVariable moved_;
  backend::TrackerSlots slots_;
};

}  // namespace hiplab::forms
