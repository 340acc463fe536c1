// The hardware queues of a device, which its streams share.
//
// The first GPU_MAX_HW_QUEUES streams get a hardware queue each; a later one shares that which
// serves the fewest streams, the oldest of them first (ROCclr's choice; hip 3769: stream 0 on
// queue 0, stream 1 on queue 1, and so on). Kernels of a shared hardware queue run one after
// another in the order of their submission, also those of independent streams: each waits for what
// was submitted before it (rocm-systems 8916), and a kernel that never ends blocks every stream
// behind it (MIOpen 12265). Assumed: a stream that waits for an event or a callback does not hold
// up the other streams of its hardware queue, which on a GPU it may.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "driver/host/queue.h"
#include "driver/rocm_types.h"
#include "sync/condition_variable.h"
#include "sync/mutex.h"

namespace hiplab::driver::host {

// The number that a value of GPU_MAX_HW_QUEUES stands for: unset (null), not positive or
// unreadable counts as the default (MIOpen 12265).
int hardware_queues(const char* gpu_max_hw_queues, int by_default);

// Thread-safe. The thread starts at the first step and never ends; it is detached, so a process
// may exit while steps are running.
class HardwareQueue : public std::enable_shared_from_this<HardwareQueue> {
 public:
  explicit HardwareQueue(int device) : device_(device) {}
  HardwareQueue(const HardwareQueue&) = delete;
  HardwareQueue& operator=(const HardwareQueue&) = delete;

  // Streams mapped here: those of destroyed streams count until they have drained.
  int streams() const { return streams_.load(std::memory_order_relaxed); }

 private:
  friend class Queue;
  // With nothing between the steps, or, on an error, none of them.
  rocm::hipError_t enqueue(const std::shared_ptr<Queue>& queue, Step* steps, std::size_t count);
  void run();
  void run_next(std::unique_lock<sync::Mutex>& lock);
  std::shared_ptr<Queue> next() const;  // with the mutex held; null when no stream can go on

  const int device_;
  std::atomic<int> streams_{0};
  sync::Mutex mutex_{"device queue"};
  sync::ConditionVariable work_;
  std::vector<std::shared_ptr<Queue>> busy_;  // queues with steps that have not begun
  std::uint64_t tickets_ = 0;
  bool started_ = false;
};

}  // namespace hiplab::driver::host
