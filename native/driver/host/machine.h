// The software device's process-wide state: devices, streams, events, memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "driver/host/hardware_queue.h"
#include "driver/host/memory.h"
#include "driver/host/profile.h"
#include "driver/host/queue.h"
#include "driver/rocm_types.h"

namespace hiplab::rocm {

// What a stream handle points to: small and apart from its queue, because a handle dies at
// hipStreamDestroy while the queue drains. Its address is the next stream's then (measured on an
// H200: 62 of 64 stream handles and 63 of 64 event handles are reused).
struct ihipStream_t {
  std::shared_ptr<driver::host::Queue> queue;
};

// What an event handle stands for. Apart from the handle, too: a call that has looked the event up
// may go on while it is destroyed.
struct ihipEvent_t {
  ihipEvent_t(int device, bool timing) : device(device), timing(timing) {}
  const int device;
  const bool timing;
  std::mutex mutex;
  std::shared_ptr<driver::host::Marker> marker;  // the last recording; null before the first
};

}  // namespace hiplab::rocm

namespace hiplab::driver::host {

// Counts of what is alive that no registry holds: BLAS objects are plain pointers, as in the real
// libraries, which do not know a destroyed one when they see it.
struct BlasObjects {
  std::atomic<std::int64_t> rocblas_handles{0};
  std::atomic<std::int64_t> hipblaslt_handles{0};
  std::atomic<std::int64_t> descriptors{0};
  std::atomic<std::int64_t> layouts{0};
  std::atomic<std::int64_t> preferences{0};
};

// Thread-safe, except that open() happens once, before anything else.
class Machine {
 public:
  Machine(const Profile& profile, int devices, std::size_t bytes_per_device);

  const Profile& profile() const { return profile_; }
  int device_count() const { return static_cast<int>(devices_.size()); }
  Memory& memory() { return memory_; }
  BlasObjects& blas() { return blas_; }

  // The calling thread's device, as hipSetDevice sets it.
  static int& current_device();

  // Streams. The queue of a handle; null for a handle that is not alive. A null handle means the
  // default stream of `device`.
  rocm::hipStream_t create_stream(int device);
  bool destroy_stream(rocm::hipStream_t stream);
  std::shared_ptr<Queue> queue(rocm::hipStream_t stream, int device = current_device());

  // A queue that no stream handle names: it runs until it is closed, and synchronize() waits for
  // it.
  std::shared_ptr<Queue> create_queue(int device);

  // Events; null for a handle that is not alive.
  rocm::hipEvent_t create_event(int device, bool timing);
  bool destroy_event(rocm::hipEvent_t event);
  std::shared_ptr<rocm::ihipEvent_t> event(rocm::hipEvent_t event);

  // Waits for every queue of the device, also for those of destroyed streams.
  rocm::hipError_t synchronize(int device);

  std::map<std::string, std::int64_t> live_objects();

 private:
  struct Device {
    std::mutex mutex;
    std::vector<std::shared_ptr<HardwareQueue>> hardware;
    std::vector<std::shared_ptr<Queue>> queues;
    std::shared_ptr<Queue> default_queue;  // null before its first use
  };
  // With the device's mutex held.
  std::shared_ptr<Queue> add_queue(int device, std::int32_t number);
  std::shared_ptr<Queue> default_queue(int device);
  std::vector<std::shared_ptr<Queue>> queues_of(int device);

  const Profile& profile_;
  const int hardware_queues_;  // of each device
  Memory memory_;
  BlasObjects blas_;
  std::vector<std::unique_ptr<Device>> devices_;
  std::shared_mutex streams_mutex_;
  std::unordered_map<rocm::hipStream_t, std::unique_ptr<rocm::ihipStream_t>> streams_;
  std::vector<std::unique_ptr<rocm::ihipStream_t>> free_streams_;  // the last one is reused first
  std::shared_mutex events_mutex_;
  // An event handle is the address of its byte here.
  struct Event {
    std::unique_ptr<char> handle;
    std::shared_ptr<rocm::ihipEvent_t> event;
  };
  std::unordered_map<rocm::hipEvent_t, Event> events_;
  std::vector<std::unique_ptr<char>> free_events_;
};

// The process's software device. open_machine() is called once, by the provider.
Machine& open_machine(const Profile& profile, int devices);  // throws hiplab::Error
Machine& machine();
bool machine_is_open();

}  // namespace hiplab::driver::host
