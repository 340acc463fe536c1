// What ran when on a device that notes no steps of its own: work is put between two timing events,
// which are read when the trace ends.
#pragma once

#include <cstdint>

#include "driver/table.h"
#include "sync/trace.h"

namespace hiplab::driver {

// While one lives, work is bracketed on the software device too, whose steps are noted as well: to
// hold the one against the other. One trace at a time, so one of these.
class BracketAllWork {
 public:
  BracketAllWork() noexcept;
  ~BracketAllWork();
  BracketAllWork(const BracketAllWork&) = delete;
  BracketAllWork& operator=(const BracketAllWork&) = delete;
};

// Whether work is to be bracketed now.
bool brackets_work() noexcept;

// Records an event on the stream now and another one when it dies, unless the stream captures (the
// events would become nodes of the graph) or is null while something may (asking would spoil that
// capture). Costs two events, some microseconds on a GPU, and lets the stream's work run a little
// later.
class EventBracket {
 public:
  // Through `table`, a provider's own: what counts and watches calls is not to see them.
  EventBracket(const Table& table, hipStream_t stream, const sync::TracedCall& call) noexcept;
  ~EventBracket();
  EventBracket(const EventBracket&) = delete;
  EventBracket& operator=(const EventBracket&) = delete;

 private:
  const Table& table_;
  const hipStream_t stream_;
  const sync::TracedCall& call_;
  hipEvent_t before_ = nullptr;
  hipEvent_t after_ = nullptr;
};

// Makes runs of the brackets in `all` (Traced::events), destroys their events and sorts by begin.
// Times are those of the device against one event for each device, recorded and waited for now:
// true to the resolution of hipEventElapsedTime's float (1 us after ten seconds) and of this wait,
// by which all of them may be late together. Brackets that are not done, or that the driver cannot
// tell of, are counted as dropped. Waits for the null stream of each device.
void resolve_events(sync::TraceEntries& all);

}  // namespace hiplab::driver
