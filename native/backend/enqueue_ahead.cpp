#include "backend/enqueue_ahead.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "backend/disposable.h"
#include "backend/enqueue_gate.h"

namespace hiplab::backend {

EnqueueAhead::EnqueueAhead(const Context& context, EventPool& events, int device, int repetitions)
    : context_(context) {
  const auto count = static_cast<std::size_t>(std::min(repetitions, kMost));
  between_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    between_.push_back({std::make_unique<Event>(context, events, device, true),
                        std::make_unique<Event>(context, events, device, true)});
  }
}

EnqueueAhead::Batch EnqueueAhead::enqueue(const CommandStream& stream, int count, bool gated,
                                          const Patience& patience, const Enqueue& one) {
  const Patience half(patience.at_most(std::chrono::hours(24)) / 2);
  std::optional<EnqueueGate> gate;  // opens when this returns or throws
  if (gated) gate.emplace(context_.api(), stream);
  const int most = std::min(count, static_cast<int>(between_.size()));
  Batch batch{0, HIPBLAS_STATUS_SUCCESS};
  do {
    const Between& events = between_[static_cast<std::size_t>(batch.count)];
    batch.status = one(*events.start, *events.stop);
    ++batch.count;
  } while (batch.count < most && succeeded(batch.status) && !half.over());
  return batch;
}

int EnqueueAhead::wait(int count, const Patience& patience) const {
  int ended = 0;
  while (ended < count &&
         ends_within(context_.api(), *between_[static_cast<std::size_t>(ended)].stop, patience)) {
    ++ended;
  }
  return ended;
}

std::vector<double> EnqueueAhead::millis(int count) const {
  std::vector<double> all;
  for (int i = 0; i < count; ++i) {
    const Between& events = between_[static_cast<std::size_t>(i)];
    all.push_back(events.stop->millis_since(*events.start));
  }
  return all;
}

}  // namespace hiplab::backend
