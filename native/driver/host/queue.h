// A stream's queue: steps in order on a thread of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

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

// One piece of a stream's work. A callable that returns nothing is done when it returns. One that
// returns a marker holds its stream, and only that, until the marker is complete: so do an event
// wait and a host callback. Copyable, as a graph runs its steps many times.
class Step {
 public:
  Step() = default;
  Step(std::nullptr_t) {}  // NOLINT: as std::function
  template <typename F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, Step> &&
             std::is_invocable_v<std::remove_cvref_t<F>&>)
  Step(F&& work)  // NOLINT: lambdas are steps
      : work_(wrap(std::forward<F>(work))) {}

  // The marker to wait for before the stream's next step, or null.
  std::shared_ptr<Marker> operator()() { return work_(); }

 private:
  using Work = std::function<std::shared_ptr<Marker>()>;
  template <typename F>
  static Work wrap(F&& work) {
    if constexpr (std::is_void_v<std::invoke_result_t<std::remove_cvref_t<F>&>>) {
      return [work = std::forward<F>(work)]() mutable -> std::shared_ptr<Marker> {
        work();
        return nullptr;
      };
    } else {
      return Work(std::forward<F>(work));
    }
  }

  Work work_;
};

// Steps run one after another, in the order of enqueue(). All members may be called from any
// thread. The thread starts at the first step and ends when the queue is closed and drained; it is
// detached, so a process may exit while steps are running.
class Queue : public std::enable_shared_from_this<Queue> {
 public:
  using Step = host::Step;

  explicit Queue(int device) : device_(device) {}
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  int device() const { return device_; }
  // The queue whose step runs on the calling thread, or null.
  static Queue* current();
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
