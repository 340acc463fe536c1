#include "driver/host/machine.h"

#include <algorithm>
#include <cstdlib>

#include "driver/host/callbacks.h"
#include "driver/host/graph_handles.h"
#include "driver/host/hiprtc.h"
#include "driver/host/module.h"
#include "driver/stream_numbers.h"

namespace hiplab::driver::host {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

namespace {

std::atomic<Machine*> the_machine{nullptr};

}  // namespace

Machine::Machine(const Profile& profile, int devices, std::size_t bytes_per_device)
    : profile_(profile),
      hardware_queues_(
          hardware_queues(std::getenv("GPU_MAX_HW_QUEUES"), profile.hardware_queues.value)),
      memory_(devices, bytes_per_device) {
  for (int i = 0; i < devices; ++i) devices_.push_back(std::make_unique<Device>());
}

int& Machine::current_device() {
  thread_local int device = 0;
  return device;
}

std::shared_ptr<Queue> Machine::add_queue(int device, std::int32_t number) {
  Device& d = *devices_[device];
  // Queues of destroyed streams that have drained are dropped here: only we still hold them.
  std::erase_if(d.queues, [](const auto& q) { return q.use_count() == 1; });
  // The default stream waits for no other, so it is a stream as any: its hardware queue, too, is
  // given at its first use.
  const auto fewest =
      std::min_element(d.hardware.begin(), d.hardware.end(),
                       [](const auto& a, const auto& b) { return a->streams() < b->streams(); });
  const bool full = static_cast<int>(d.hardware.size()) >= hardware_queues_;
  std::shared_ptr<HardwareQueue> hardware;
  if (fewest != d.hardware.end() && (full || (*fewest)->streams() == 0)) {
    hardware = *fewest;
  } else {
    hardware = std::make_shared<HardwareQueue>(device);
    d.hardware.push_back(hardware);
  }
  auto queue = std::make_shared<Queue>(device, number, std::move(hardware));
  d.queues.push_back(queue);
  return queue;
}

std::shared_ptr<Queue> Machine::create_queue(int device) {
  std::lock_guard lock(devices_[device]->mutex);
  return add_queue(device, NewStreamNumber::current());
}

std::shared_ptr<Queue> Machine::default_queue(int device) {
  Device& d = *devices_[device];
  std::lock_guard lock(d.mutex);
  if (d.default_queue == nullptr) d.default_queue = add_queue(device, -device);
  return d.default_queue;
}

hipStream_t Machine::create_stream(int device) {
  std::shared_ptr<Queue> queue = create_queue(device);
  const std::unique_lock lock(streams_mutex_);
  std::unique_ptr<ihipStream_t> handle;
  if (free_streams_.empty()) {
    handle = std::make_unique<ihipStream_t>();
  } else {
    handle = std::move(free_streams_.back());
    free_streams_.pop_back();
  }
  handle->queue = std::move(queue);
  const hipStream_t stream = handle.get();
  streams_.emplace(stream, std::move(handle));
  return stream;
}

bool Machine::destroy_stream(hipStream_t stream) {
  std::shared_ptr<Queue> queue;
  {
    const std::unique_lock lock(streams_mutex_);
    auto it = streams_.find(stream);
    if (it == streams_.end()) return false;
    queue = std::move(it->second->queue);
    free_streams_.push_back(std::move(it->second));
    streams_.erase(it);
  }
  queue->close();
  return true;
}

std::shared_ptr<Queue> Machine::queue(hipStream_t stream, int device) {
  if (stream == nullptr) return default_queue(device);
  std::shared_lock lock(streams_mutex_);
  auto it = streams_.find(stream);
  return it == streams_.end() ? nullptr : it->second->queue;
}

hipEvent_t Machine::create_event(int device, bool timing) {
  auto event = std::make_shared<ihipEvent_t>(device, timing);
  const std::unique_lock lock(events_mutex_);
  std::unique_ptr<char> byte;
  if (free_events_.empty()) {
    byte = std::make_unique<char>();
  } else {
    byte = std::move(free_events_.back());
    free_events_.pop_back();
  }
  auto* const handle = reinterpret_cast<hipEvent_t>(byte.get());
  events_.emplace(handle, Event{std::move(byte), std::move(event)});
  return handle;
}

bool Machine::destroy_event(hipEvent_t event) {
  std::shared_ptr<ihipEvent_t> last;  // dies without the lock
  const std::unique_lock lock(events_mutex_);
  auto it = events_.find(event);
  if (it == events_.end()) return false;
  last = std::move(it->second.event);
  free_events_.push_back(std::move(it->second.handle));
  events_.erase(it);
  return true;
}

std::shared_ptr<ihipEvent_t> Machine::event(hipEvent_t event) {
  const std::shared_lock lock(events_mutex_);
  auto it = events_.find(event);
  return it == events_.end() ? nullptr : it->second.event;
}

std::vector<std::shared_ptr<Queue>> Machine::queues_of(int device) {
  std::lock_guard lock(devices_[device]->mutex);
  return devices_[device]->queues;
}

hipError_t Machine::synchronize(int device) {
  hipError_t result = refused_in_callback("a wait for the device", nullptr);
  if (result != hipSuccess) return result;
  for (const auto& queue : queues_of(device)) {
    const hipError_t status = queue->synchronize();
    if (result == hipSuccess) result = status;
  }
  return result;
}

std::map<std::string, std::int64_t> Machine::live_objects() {
  std::map<std::string, std::int64_t> live;
  {
    std::shared_lock lock(streams_mutex_);
    live["streams"] = static_cast<std::int64_t>(streams_.size());
  }
  {
    std::shared_lock lock(events_mutex_);
    live["events"] = static_cast<std::int64_t>(events_.size());
  }
  live["memory_blocks"] = memory_.blocks();
  live["memory_bytes"] = memory_.bytes();
  live["host_blocks"] = memory_.host_blocks();
  live["host_bytes"] = memory_.host_bytes();
  live["rocblas_handles"] = blas_.rocblas_handles.load();
  live["hipblaslt_handles"] = blas_.hipblaslt_handles.load();
  live["descriptors"] = blas_.descriptors.load();
  live["layouts"] = blas_.layouts.load();
  live["graphs"] = graph_handles().graphs.size();
  live["graph_execs"] = graph_handles().execs.size();
  live["preferences"] = blas_.preferences.load();
  live["modules"] = modules().alive();
  live["programs"] = live_programs();
  return live;
}

Machine& open_machine(const Profile& profile, int devices) {
  // Leaked on purpose: queue threads may still run while the process exits.
  auto* opened =
      new Machine(profile, devices, device_bytes(std::getenv("HIPLAB_HOST_MEMORY_BYTES"), devices));
  the_machine.store(opened, std::memory_order_release);
  return *opened;
}

Machine& machine() { return *the_machine.load(std::memory_order_acquire); }

bool machine_is_open() { return the_machine.load(std::memory_order_acquire) != nullptr; }

}  // namespace hiplab::driver::host
