// NO_TICKETS form of the stream tracker (MIOpen 12265 says why tickets are needed): the host
// callback names the stream that it ran on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "backend/backlog.h"
#include "backend/context.h"
#include "backend/device.h"
#include "backend/stream_tracker.h"
#include "backend/tracker_slots.h"
#include "backend/tracker_worker.h"
#include "sync/condition_variable.h"
#include "sync/mutex.h"

namespace hiplab::forms {

// A callback that comes late, after the done event has returned its stream to the pool, retires
// whatever evaluation has been abandoned on that stream since.
class UnticketedTracker final : public backend::StreamTracker {
 public:
  UnticketedTracker(const backend::Context& context, backend::Device& device,
                    int max_draining = backend::default_max_draining());
  ~UnticketedTracker() override;

  backend::CommandStream* acquire_within(std::optional<std::chrono::nanoseconds> limit) override;
  void release(backend::CommandStream& stream) override;
  void abandon(backend::CommandStream& stream, backend::Scratch&& scratch,
               std::unique_ptr<backend::Event> done) override;
  void discard(backend::Scratch&& scratch) override;
  void on_launch(backend::hipStream_t) override {}
  backend::TrackerState state() const override;

 private:
  void sweep_locked();
  std::optional<backend::Reclaimed> retire(std::uint64_t notice);

  const backend::Context context_;
  backend::Device& device_;
  const int max_draining_;
  mutable sync::Mutex mutex_{"stream tracker"};
  sync::ConditionVariable moved_;
  backend::TrackerSlots slots_;
  std::uint64_t last_notice_ = 0;
  std::map<std::uint64_t, backend::TrackerSlot*> streams_;  // of notices
  backend::TrackerWorker worker_;                           // last: its thread uses the rest
};

}  // namespace hiplab::forms
