#include "driver/host/queue.h"

#include <sys/prctl.h>

#include <cstdio>
#include <exception>
#include <mutex>
#include <utility>

#include "driver/host/callbacks.h"
#include "sync/thread.h"

namespace hiplab::driver::host {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

namespace {
thread_local Queue* current_queue = nullptr;
}

void Marker::complete() {
  std::lock_guard lock(mutex_);
  done_ = true;
  time_ = Clock::now();
  reached_.notify_all();
}

void Marker::wait() {
  std::unique_lock lock(mutex_);
  reached_.wait(lock, [&] { return done_; });
}

bool Marker::done() const {
  std::lock_guard lock(mutex_);
  return done_;
}

Marker::Clock::time_point Marker::time() const {
  std::lock_guard lock(mutex_);
  return time_;
}

Queue* Queue::current() { return current_queue; }

hipError_t Queue::enqueue(Step step) {
  std::lock_guard lock(mutex_);
  if (closed_) return hipErrorInvalidHandle;
  // The thread comes first: a step that no thread will run would be waited for for ever.
  try {
    if (!started_) {
      // The thread shares ownership: a destroyed stream's queue lives until it has drained.
      sync::Thread("queue", [self = shared_from_this()] { self->run(); }).detach();
      started_ = true;
    }
    steps_.push_back(std::move(step));
  } catch (const std::exception& e) {  // std::system_error, std::bad_alloc: callers are C functions
    std::fprintf(
        stderr,
        "hiplab: a stream of host device %d got no %s: %s; use fewer streams, or raise the "
        "limit of threads (ulimit -u) or of memory\n",
        device_, started_ ? "memory for a step" : "thread", e.what());
    return hipErrorOutOfMemory;
  }
  ++submitted_;
  work_.notify_one();
  return hipSuccess;
}

void Queue::run() {
  // The kernel rounds a thread's sleeps up by 50 us unless told otherwise; the gap between kernels
  // is shorter than that.
  prctl(PR_SET_TIMERSLACK, 1);
  current_queue = this;
  std::unique_lock lock(mutex_);
  for (;;) {
    work_.wait(lock, [&] { return !steps_.empty() || closed_; });
    if (steps_.empty()) return;
    Step step = std::move(steps_.front());
    steps_.pop_front();
    lock.unlock();
    hipError_t result = hipSuccess;
    try {
      if (const auto marker = step()) marker->wait();
    } catch (const std::exception& e) {
      std::fprintf(stderr, "hiplab: a step of a stream of host device %d failed: %s\n", device_,
                   e.what());
      result = hipErrorLaunchFailure;
    }
    step = nullptr;  // what the step owns is released before it counts as done
    lock.lock();
    if (failure_ == hipSuccess) failure_ = result;
    ++completed_;
    if (waiting_ > 0) progress_.notify_all();
  }
}

hipError_t Queue::synchronize() {
  const hipError_t refused = refused_in_callback("a wait for a stream", this);
  if (refused != hipSuccess) return refused;
  std::unique_lock lock(mutex_);
  const std::uint64_t target = submitted_;
  ++waiting_;
  progress_.wait(lock, [&] { return completed_ >= target; });
  --waiting_;
  return failure_;
}

hipError_t Queue::query() {
  std::lock_guard lock(mutex_);
  if (failure_ != hipSuccess) return failure_;
  return completed_ == submitted_ ? hipSuccess : hipErrorNotReady;
}

bool Queue::idle() {
  std::lock_guard lock(mutex_);
  return completed_ == submitted_;
}

void Queue::close() {
  std::lock_guard lock(mutex_);
  closed_ = true;
  work_.notify_one();
}

}  // namespace hiplab::driver::host
