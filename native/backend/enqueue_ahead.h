// Repetitions of a GEMM that are on the stream before the device begins with the first.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "backend/command_stream.h"
#include "backend/context.h"
#include "backend/event.h"
#include "backend/event_pool.h"
#include "backend/patience.h"

namespace hiplab::backend {

// Each between its own two events, from the pool. One waited for before the next is enqueued would
// leave the stream idle: what lies between its events is then the host's time to enqueue, where the
// GEMM is shorter than that. One thread at a time.
class EnqueueAhead {
 public:
  // At once, behind one gate. A queue of the device holds thousands of packets, and a host that
  // waits for room in it while its gate is closed would wait for ever.
  static constexpr int kMost = 64;

  // Enqueues one between the two events, which are recorded whatever it returns.
  using Enqueue = std::function<hipblasStatus_t(Event& start, Event& stop)>;

  EnqueueAhead(const Context& context, EventPool& events, int device, int repetitions);

  struct Batch {
    int count = 0;           // enqueued, the failed one included
    hipblasStatus_t status;  // of the last
  };

  // Enqueues up to `count` and at most kMost, behind a gate when `gated`; at least one, and no more
  // once half of the patience is over, so that there is time to run them.
  Batch enqueue(const CommandStream& stream, int count, bool gated, const Patience& patience,
                const Enqueue& one);

  // How many of a batch's first `count` ended, in their order, before patience was over.
  int wait(int count, const Patience& patience) const;

  // Device time of each of them, in milliseconds.
  std::vector<double> millis(int count) const;

 private:
  struct Between {
    std::unique_ptr<Event> start;
    std::unique_ptr<Event> stop;
  };

  const Context context_;
  std::vector<Between> between_;
};

}  // namespace hiplab::backend
