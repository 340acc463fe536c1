// Holds a stream's work back while more of it is enqueued.
#pragma once

#include <memory>

#include "backend/callback_gate.h"
#include "backend/command_stream.h"

namespace hiplab::backend {

// What is enqueued behind it begins once it is open, all of it at once: the device then finds the
// next piece in its queue, and the time between two events is not the host's time to enqueue. A
// host callback waits meanwhile, and with it every other callback of the process, as HIP runs them
// one at a time: keep it closed for no longer than the enqueuing, and wait for nothing in between.
class EnqueueGate {
 public:
  // Closed, behind what is on the stream. Throws when no callback can be enqueued.
  EnqueueGate(const Table& api, const CommandStream& stream);

  // Opens it.
  ~EnqueueGate() { open(); }
  EnqueueGate(const EnqueueGate&) = delete;
  EnqueueGate& operator=(const EnqueueGate&) = delete;

  void open() noexcept { gate_->open(); }

 private:
  const std::shared_ptr<CallbackGate> gate_;  // the callback's too
};

}  // namespace hiplab::backend
