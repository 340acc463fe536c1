// A stream's queue: steps in order on a thread of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

#include "driver/rocm_types.h"
#include "sync/condition_variable.h"
#include "sync/mutex.h"

namespace hiplab::driver::host {

// One recording of an event: done when its queue has reached it.
class Marker {
 public:
  using Clock = std::chrono::steady_clock;

  void complete();
  void wait();
  bool done() const;
  Clock::time_point time() const;  // when it was reached; only after done()

 private:
  mutable sync::Mutex mutex_{"device event"};
  sync::ConditionVariable reached_;
  bool done_ = false;
  Clock::time_point time_{};
};

// Steps run one after another, in the order of enqueue(). All members may be called from any
// thread. The thread starts at the first step and ends when the queue is closed and drained; it is
// detached, so a process may exit while steps are running.
class Queue : public std::enable_shared_from_this<Queue> {
 public:
  using Step = std::function<void()>;

  explicit Queue(int device) : device_(device) {}
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  int device() const { return device_; }
  // Nothing is enqueued on an error: hipErrorInvalidHandle when the queue has been closed,
  // hipErrorOutOfMemory when the system gives no thread or no memory. The next call tries again.
  // Throws nothing.
  rocm::hipError_t enqueue(Step step);

  // Waits for what was enqueued before the call. Returns the queue's first failure, if any.
  rocm::hipError_t synchronize();
  // hipSuccess when nothing is left, hipErrorNotReady while there is, or the first failure.
  rocm::hipError_t query();
  bool idle();

  // No step follows: the thread ends once it has drained the queue. Does not wait.
  void close();

 private:
  void run();

  const int device_;
  sync::Mutex mutex_{"device queue"};
  sync::ConditionVariable work_;
  sync::ConditionVariable progress_;
  std::deque<Step> steps_;
  std::uint64_t submitted_ = 0;
  std::uint64_t completed_ = 0;
  int waiting_ = 0;
  bool started_ = false;
  bool closed_ = false;
  rocm::hipError_t failure_ = rocm::hipSuccess;
};

}  // namespace hiplab::driver::host
