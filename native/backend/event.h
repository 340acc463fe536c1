// A device event, with or without timing.
#pragma once

#include "backend/command_stream.h"
#include "backend/context.h"
#include "backend/owned.h"

namespace hiplab::backend {

class Event {
 public:
  Event(const Context& context, int device, bool timing);

  int device() const { return device_; }
  bool timing() const { return timing_; }

  void record(const CommandStream& stream);
  void make_wait(const CommandStream& stream) const;  // device-side: the host does not wait
  bool done() const;
  void synchronize() const;

  // From `start` to this one, in milliseconds. Both need timing and must be done.
  float millis_since(const Event& start) const;

 private:
  const Context context_;
  const int device_;
  const bool timing_;
  OwnedEvent event_;
};

}  // namespace hiplab::backend
