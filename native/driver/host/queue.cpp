#include "driver/host/queue.h"

#include <mutex>
#include <utility>

#include "driver/host/callbacks.h"
#include "driver/host/fault.h"
#include "driver/host/hardware_queue.h"

namespace hiplab::driver::host {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

void Marker::complete() {
  std::vector<std::function<void()>> actions;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
    time_ = Clock::now();
    actions.swap(actions_);
    reached_.notify_all();
  }
  for (const auto& action : actions) action();
}

hipError_t Marker::wait() {
  if (callback_queue() != nullptr) {
    if (const auto queue = queue_.lock()) return queue->wait_in_callback(*this);
  }
  const EndsAtFault ends(mutex_, reached_);
  std::unique_lock lock(mutex_);
  reached_.wait(lock, [&] { return done_ || faulted(); });
  return fault_status();
}

void Marker::on_complete(std::function<void()> action) {
  {
    const std::lock_guard lock(mutex_);
    if (!done_) {
      actions_.push_back(std::move(action));
      return;
    }
  }
  action();
}

bool Marker::done() const {
  std::lock_guard lock(mutex_);
  return done_;
}

Marker::Clock::time_point Marker::time() const {
  std::lock_guard lock(mutex_);
  return time_;
}

Queue::Queue(int device, std::int32_t number, std::shared_ptr<HardwareQueue> hardware)
    : device_(device), number_(number), hardware_(std::move(hardware)) {
  hardware_->streams_.fetch_add(1, std::memory_order_relaxed);
}

// Nothing is left: the hardware queue shares ownership of a queue until its last step is done.
Queue::~Queue() { hardware_->streams_.fetch_sub(1, std::memory_order_relaxed); }

hipError_t Queue::enqueue(Step step) { return hardware_->enqueue(shared_from_this(), &step, 1); }

hipError_t Queue::enqueue_all(std::vector<Step> steps) {
  return hardware_->enqueue(shared_from_this(), steps.data(), steps.size());
}

void Queue::finish(hipError_t result) {
  held_ = false;
  if (failure_ == hipSuccess) failure_ = result;
  ++completed_;
  if (waiting_ > 0) progress_.notify_all();
}

hipError_t Queue::synchronize() {
  const hipError_t refused = refused_in_callback("a wait for a stream", this);
  if (refused != hipSuccess) return refused;
  const EndsAtFault ends(hardware_->mutex_, progress_);
  std::unique_lock lock(hardware_->mutex_);
  const std::uint64_t target = submitted_;
  ++waiting_;
  // Callbacks run one at a time: one that waits for another stream's would wait for ever.
  const bool in_callback = callback_queue() != nullptr;
  progress_.wait(
      lock, [&] { return completed_ >= target || faulted() || (in_callback && in_callback_); });
  --waiting_;
  if (faulted()) return hipErrorIllegalAddress;
  return completed_ >= target ? failure_
                              : refuse_in_callback("a wait for another stream's callback");
}

void Queue::enter_callback() {
  const std::lock_guard lock(hardware_->mutex_);
  in_callback_ = true;
  if (waiting_ > 0) progress_.notify_all();
}

void Queue::leave_callback() {
  const std::lock_guard lock(hardware_->mutex_);
  in_callback_ = false;
}

hipError_t Queue::query() {
  if (faulted()) return hipErrorIllegalAddress;
  std::lock_guard lock(hardware_->mutex_);
  if (failure_ != hipSuccess) return failure_;
  return completed_ == submitted_ ? hipSuccess : hipErrorNotReady;
}

hipError_t Queue::wait_in_callback(const Marker& marker) {
  if (marker.done()) return fault_status();
  const hipError_t refused = refused_in_callback("a wait for an event", this);
  if (refused != hipSuccess) return refused;
  const EndsAtFault ends(hardware_->mutex_, progress_);
  std::unique_lock lock(hardware_->mutex_);
  ++waiting_;  // the step that completes the marker then tells that it is done
  progress_.wait(lock, [&] { return marker.done() || faulted() || in_callback_; });
  --waiting_;
  if (faulted()) return hipErrorIllegalAddress;
  if (marker.done()) return hipSuccess;
  return refuse_in_callback("a wait for an event behind another stream's callback");
}

bool Queue::idle() {
  std::lock_guard lock(hardware_->mutex_);
  return completed_ == submitted_;
}

void Queue::close() {
  std::lock_guard lock(hardware_->mutex_);
  closed_ = true;
}

}  // namespace hiplab::driver::host
