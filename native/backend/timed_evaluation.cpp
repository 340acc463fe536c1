#include "backend/timed_evaluation.h"

#include <memory>
#include <utility>

#include "backend/capture_guard.h"
#include "sync/time.h"

namespace hiplab::backend {
namespace {

constexpr std::chrono::microseconds kPoll{20};

bool ends_within(const Table& api, const Event& stop, std::chrono::nanoseconds limit) {
  // The query must not end a capture that another thread has open.
  const RelaxedCapture relaxed(api);
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!stop.done()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    sync::sleep_for(kPoll);
  }
  return true;
}

}  // namespace

Evaluation evaluate_within(Backend& backend, int device, std::chrono::nanoseconds limit,
                           Scratch scratch,
                           const std::function<void(const CommandStream&)>& enqueue) {
  StreamTracker& tracker = backend.tracker(device);
  const auto start = backend.event(device, true);
  auto stop = backend.event(device, true);
  CommandStream& stream = tracker.acquire();
  try {
    start->record(stream);
    enqueue(stream);
    stop->record(stream);
    if (ends_within(backend.api(), *stop, limit)) {
      const float millis = stop->millis_since(*start);
      tracker.release(stream);
      return {true, millis};
    }
  } catch (...) {
    // What was enqueued may be running: the stop event says when it has ended, if it can be
    // recorded behind it.
    if (!stop->recorded()) {
      try {
        stop->record(stream);
      } catch (const Error&) {
      }
    }
    tracker.abandon(stream, std::move(scratch), std::move(stop));
    throw;
  }
  tracker.abandon(stream, std::move(scratch), std::move(stop));
  return {};
}

}  // namespace hiplab::backend
