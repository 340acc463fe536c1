#include "backend/timed_evaluation.h"

#include <memory>
#include <utility>

namespace hiplab::backend {

Evaluation evaluate_within(Backend& backend, int device, std::chrono::nanoseconds limit,
                           Scratch scratch,
                           const std::function<void(const CommandStream&)>& enqueue) {
  StreamTracker& tracker = backend.tracker(device);
  const auto start = backend.event(device, true);
  auto stop = backend.event(device, true);
  Disposable disposable(tracker, tracker.acquire(), std::move(stop), std::move(scratch));
  start->record(disposable.stream());
  enqueue(disposable.stream());
  disposable.stop().record(disposable.stream());
  if (!ends_within(backend.api(), disposable.stop(), Patience(limit))) {
    disposable.abandon();
    return {};
  }
  const float millis = disposable.stop().millis_since(*start);
  disposable.release();
  return {true, millis};
}

}  // namespace hiplab::backend
