// The stream tracker after MIOpen 12265: a host callback behind the abandoned work retires it, and
// nothing of it runs on the launch path.
#pragma once

#include <cstdint>
#include <optional>

#include "backend/backlog.h"
#include "backend/context.h"
#include "backend/device.h"
#include "backend/stream_tracker.h"
#include "backend/tracker_slots.h"
#include "backend/tracker_worker.h"
#include "sync/condition_variable.h"
#include "sync/mutex.h"

namespace hiplab::backend {

class CallbackTracker final : public StreamTracker {
 public:
  // `device` must outlive it. `max_draining`: the backlog cap, at least 1.
  CallbackTracker(const Context& context, Device& device,
                  int max_draining = default_max_draining());

  // Waits for every owned stream, lets every callback run, then ends the worker. On a lost device,
  // whose waits fail and whose callbacks never run, it ends too; scratch that a kernel might still
  // use is then left allocated.
  ~CallbackTracker() override;

  // At the cap it waits for the worker, and tests the done events anew every 10 ms: callbacks run
  // one at a time process-wide, so one may be late, and on a lost device none comes. Throws when a
  // test answers neither success nor not-ready: the error stays for good, the backlog cannot drain.
  CommandStream* acquire_within(std::optional<std::chrono::nanoseconds> limit) override;
  void release(CommandStream& stream) override;
  void abandon(CommandStream& stream, Scratch&& scratch, std::unique_ptr<Event> done) override;
  void discard(Scratch&& scratch) override;
  void on_launch(hipStream_t) override {}
  TrackerState state() const override;

 private:
  void sweep_locked();
  std::optional<Reclaimed> retire(std::uint64_t ticket);

  const Context context_;
  Device& device_;
  const int max_draining_;
  mutable sync::Mutex mutex_{"stream tracker"};
  sync::ConditionVariable moved_;  // a slot has left the backlog
  TrackerSlots slots_;
  std::uint64_t last_ticket_ = 0;
  TrackerWorker worker_;  // last: its thread uses the rest
};

}  // namespace hiplab::backend
