// A device event, with or without timing, out of the backend's pool.
#pragma once

#include <atomic>

#include "backend/command_stream.h"
#include "backend/context.h"
#include "backend/event_pool.h"

namespace hiplab::backend {

// An event that has not been recorded counts as done and makes nobody wait, as in HIP, whatever a
// former user of the same driver event has recorded.
class Event {
 public:
  // `pool` must outlive it.
  Event(const Context& context, EventPool& pool, int device, bool timing);

  // Gives the driver's event back to the pool.
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  hipEvent_t get() const { return event_; }
  int device() const { return device_; }
  bool timing() const { return timing_; }

  void record(const CommandStream& stream);
  void make_wait(const CommandStream& stream) const;  // device-side: the host does not wait
  bool recorded() const { return recorded_.load(std::memory_order_acquire); }
  bool done() const;
  void synchronize() const;

  // hipSuccess, hipErrorNotReady, or what is wrong with the device; throws nothing.
  hipError_t query() const;

  // From `start` to this one, in milliseconds. Both need timing and must be done.
  float millis_since(const Event& start) const;

 private:
  const Context context_;
  EventPool& pool_;
  const int device_;
  const bool timing_;
  const hipEvent_t event_;
  std::atomic<bool> recorded_{false};  // by this user
};

}  // namespace hiplab::backend
