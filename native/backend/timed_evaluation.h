// An evaluation that may take no longer than it is given (MIOpen 12265): how a search for the best
// algorithm keeps a slow candidate from holding it up.
#pragma once

#include <chrono>
#include <functional>

#include "backend/backend.h"
#include "backend/disposable.h"
#include "backend/stream_tracker.h"

namespace hiplab::backend {

struct Evaluation {
  bool in_time = false;
  float millis = 0;  // of the work on the device; only when in time
};

// Runs what `enqueue` puts on a disposable stream of the device, and waits for it up to `limit`.
// What overruns is abandoned still running: its stream and `scratch` are reclaimed when it ends.
// The same happens to what was enqueued before `enqueue` threw; the exception goes on. Throws as
// StreamTracker::acquire does.
Evaluation evaluate_within(Backend& backend, int device, std::chrono::nanoseconds limit,
                           Scratch scratch,
                           const std::function<void(const CommandStream&)>& enqueue);

}  // namespace hiplab::backend
