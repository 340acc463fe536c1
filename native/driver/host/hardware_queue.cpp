#include "driver/host/hardware_queue.h"

#include <sys/prctl.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

#include "driver/host/fault.h"
#include "sync/thread.h"
#include "sync/trace.h"

namespace hiplab::driver::host {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

namespace {
thread_local Queue* current_queue = nullptr;
}

int hardware_queues(const char* text, int by_default) {
  if (text == nullptr) return by_default;
  char* end = nullptr;
  errno = 0;
  const long value = std::strtol(text, &end, 10);
  if (end == text || *end != '\0' || errno == ERANGE || value <= 0) return by_default;
  return static_cast<int>(std::min<long>(value, 1024));
}

Queue* Queue::current() { return current_queue; }

hipError_t HardwareQueue::enqueue(const std::shared_ptr<Queue>& queue, Step* steps,
                                  std::size_t count) {
  if (faulted()) return hipErrorIllegalAddress;
  const std::lock_guard lock(mutex_);
  if (queue->closed_) return hipErrorInvalidHandle;
  const std::size_t before = queue->steps_.size();
  const sync::TracedCall* const call = sync::TracedCall::current();
  const std::uint64_t number = call == nullptr ? 0 : call->number();
  // The thread comes first: a step that no thread will run would be waited for for ever.
  try {
    if (!started_) {
      sync::Thread("queue", [self = shared_from_this()] { self->run(); }).detach();
      started_ = true;
    }
    if (before == 0) busy_.reserve(busy_.size() + 1);
    for (std::size_t i = 0; i < count; ++i) {
      if (call != nullptr && steps[i].name == nullptr) steps[i].name = call->label();
      queue->steps_.push_back({tickets_ + i, std::move(steps[i]), number});
    }
  } catch (const std::exception& e) {  // std::system_error, std::bad_alloc: callers are C functions
    while (queue->steps_.size() > before) queue->steps_.pop_back();
    std::fprintf(
        stderr,
        "hiplab: a stream of host device %d got no %s: %s; use fewer streams, or raise the "
        "limit of threads (ulimit -u) or of memory\n",
        device_, started_ ? "memory for a step" : "thread", e.what());
    return hipErrorOutOfMemory;
  }
  if (before == 0 && count > 0) busy_.push_back(queue);
  tickets_ += count;
  queue->submitted_ += count;
  if (queue->ready()) work_.notify_one();
  return hipSuccess;
}

std::shared_ptr<Queue> HardwareQueue::next() const {
  std::shared_ptr<Queue> first;
  for (const auto& queue : busy_) {
    if (!queue->ready()) continue;
    if (first == nullptr || queue->steps_.front().ticket < first->steps_.front().ticket) {
      first = queue;
    }
  }
  return first;
}

void HardwareQueue::run() {
  // The kernel rounds a thread's sleeps up by 50 us unless told otherwise; the gap between kernels
  // is shorter than that.
  prctl(PR_SET_TIMERSLACK, 1);
  std::unique_lock lock(mutex_);
  for (;;) {
    work_.wait(lock, [&] { return !faulted() && next() != nullptr; });
    run_next(lock);
  }
}

void HardwareQueue::run_next(std::unique_lock<sync::Mutex>& lock) {
  const std::shared_ptr<Queue> queue = next();
  Step step = std::move(queue->steps_.front().step);
  const std::uint64_t call = queue->steps_.front().call;
  const char* const name = step.name;
  queue->steps_.pop_front();
  if (queue->steps_.empty()) std::erase(busy_, queue);
  queue->held_ = true;
  lock.unlock();
  hipError_t result = hipSuccess;
  std::shared_ptr<Marker> until;
  const sync::TraceMark begun = sync::trace_mark();
  // Noted before it counts as done: whoever waited for it finds it in the trace.
  const auto trace = [begun, name, call, number = queue->number()] {
    if (begun.trace == 0 || (name != nullptr && *name == '\0')) return;
    sync::note(begun, {sync::Traced::run, name == nullptr ? "enqueued-before-the-trace" : name, 0,
                       0, number, number, call, nullptr, 0});
  };
  current_queue = queue.get();
  try {
    until = step();
  } catch (const Fault& e) {
    fault(device_, e.what());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "hiplab: a step of a stream of host device %d failed: %s\n", device_,
                 e.what());
    result = hipErrorLaunchFailure;
  }
  step = nullptr;  // what the step owns is released before it counts as done
  current_queue = nullptr;
  if (until != nullptr) {
    // Without the lock: the marker's own thread may be completing it, and then takes ours.
    until->on_complete([queue, trace] {
      trace();
      const std::lock_guard relock(queue->hardware_->mutex_);
      queue->finish(hipSuccess);
      queue->hardware_->work_.notify_one();
    });
    lock.lock();
  } else {
    trace();
    lock.lock();
    queue->finish(result);
  }
}

}  // namespace hiplab::driver::host
