// A stream's queue: steps in order, run by the hardware queue that the stream is mapped to.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "driver/rocm_types.h"
#include "sync/condition_variable.h"
#include "sync/mutex.h"

namespace hiplab::driver::host {

class HardwareQueue;
class Queue;

// One recording of an event: done when its queue has reached it.
class Marker {
 public:
  using Clock = std::chrono::steady_clock;

  // `queue` is the one whose step will complete it, where that is known.
  explicit Marker(std::weak_ptr<Queue> queue = {}) : queue_(std::move(queue)) {}

  void complete();
  // hipSuccess, hipErrorIllegalAddress once a device has faulted, or what callbacks.h says of waits
  // in a callback.
  rocm::hipError_t wait();
  // Runs `action` once the marker is complete: at once when it is, else on the thread that
  // completes it. Must not throw.
  void on_complete(std::function<void()> action);
  bool done() const;
  Clock::time_point time() const;  // when it was reached; only after done()

 private:
  mutable sync::Mutex mutex_{"device event"};
  sync::ConditionVariable reached_;
  const std::weak_ptr<Queue> queue_;
  std::vector<std::function<void()>> actions_;
  bool done_ = false;
  Clock::time_point time_{};
};

// One piece of a stream's work. A callable that returns nothing is done when it returns. One that
// returns a marker holds its stream, and only that, until the marker is complete: so do an event
// wait and a host callback. A step must not block: its hardware queue serves other streams too.
// Copyable, as a graph runs its steps many times.
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
  std::shared_ptr<Marker> operator()() const { return work_(); }

  // What a trace calls it: a name that lives as long as the process. Null: as the call that
  // enqueues it. Empty: it is not worth a word.
  const char* name = nullptr;

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
// thread.
class Queue : public std::enable_shared_from_this<Queue> {
 public:
  using Step = host::Step;

  // `number`: driver/stream_numbers.h.
  Queue(int device, std::int32_t number, std::shared_ptr<HardwareQueue> hardware);
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  int device() const { return device_; }
  std::int32_t number() const { return number_; }
  const HardwareQueue& hardware() const { return *hardware_; }
  // The queue whose step runs on the calling thread, or null.
  static Queue* current();
  // Nothing is enqueued on an error: hipErrorInvalidHandle when the queue has been closed,
  // hipErrorOutOfMemory when the system gives no thread or no memory, hipErrorIllegalAddress once a
  // device has faulted. Throws nothing.
  rocm::hipError_t enqueue(Step step);
  // All of them with nothing between, or, on an error, none.
  rocm::hipError_t enqueue_all(std::vector<Step> steps);

  // Waits for what was enqueued before the call. Returns the queue's first failure, if any, or what
  // fault.h and callbacks.h say of waits.
  rocm::hipError_t synchronize();
  // In a callback: waits for a marker that a step of this queue completes. Apart from the queue's
  // failures, what synchronize() returns.
  rocm::hipError_t wait_in_callback(const Marker& marker);
  // hipSuccess when nothing is left, hipErrorNotReady while there is, or the first failure.
  rocm::hipError_t query();
  bool idle();

  // No step follows. Does not wait.
  void close();

  // Called by the running step: a host callback holds the queue until the step's marker.
  void enter_callback();
  // Called by the thread of callbacks: it has returned.
  void leave_callback();

 private:
  friend class HardwareQueue;
  struct Pending {
    std::uint64_t ticket;  // the order of submission to the hardware queue
    Step step;
    std::uint64_t call;  // that enqueued it, if a trace was on; else 0
  };
  // Called with the hardware queue's mutex held.
  bool ready() const { return !held_ && !steps_.empty(); }
  void finish(rocm::hipError_t result);

  const int device_;
  const std::int32_t number_;
  const std::shared_ptr<HardwareQueue> hardware_;
  // Guarded by the mutex of the hardware queue.
  sync::ConditionVariable progress_;
  std::deque<Pending> steps_;
  std::uint64_t submitted_ = 0;
  std::uint64_t completed_ = 0;
  int waiting_ = 0;
  bool held_ = false;  // its last step returned a marker that is not complete
  bool in_callback_ = false;
  bool closed_ = false;
  rocm::hipError_t failure_ = rocm::hipSuccess;
};

}  // namespace hiplab::driver::host
