// HIP's runtime calls on the software device: checks, then a step on a queue.
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "driver/error_names.h"
#include "driver/host/machine.h"
#include "driver/host/tables.h"

namespace hiplab::driver::host {
namespace {

// ---- devices -----------------------------------------------------------------------------------

bool valid_device(int device) { return device >= 0 && device < machine().device_count(); }

hipError_t get_device_count(int* count) {
  if (count == nullptr) return hipErrorInvalidValue;
  *count = machine().device_count();
  return hipSuccess;
}

hipError_t set_device(int device) {
  if (!valid_device(device)) return hipErrorInvalidDevice;
  Machine::current_device() = device;
  return hipSuccess;
}

hipError_t get_device(int* device) {
  if (device == nullptr) return hipErrorInvalidValue;
  *device = Machine::current_device();
  return hipSuccess;
}

hipError_t get_properties(hipDeviceProp_tR0600* prop, int device) {
  if (prop == nullptr) return hipErrorInvalidValue;
  if (!valid_device(device)) return hipErrorInvalidDevice;
  const Profile& profile = machine().profile();
  hipDeviceProp_tR0600 p = {};
  std::snprintf(p.name, sizeof p.name, "%s", profile.device_name.c_str());
  std::snprintf(p.gcnArchName, sizeof p.gcnArchName, "%s", profile.arch.c_str());
  p.totalGlobalMem = machine().memory().total(device);
  p.sharedMemPerBlock = 64 * 1024;
  p.warpSize = profile.warp_size.value;
  p.maxThreadsPerBlock = 1024;
  p.major = profile.major;
  p.minor = profile.minor;
  p.multiProcessorCount = profile.multiprocessors.value;
  p.integrated = 1;  // its memory is this machine's
  *prop = p;
  return hipSuccess;
}

// The version whose declarations this project follows: HIP 6.4 (HIP_VERSION of its headers).
hipError_t get_version(int* version) {
  if (version == nullptr) return hipErrorInvalidValue;
  *version = 60443484;
  return hipSuccess;
}

hipError_t device_synchronize() { return machine().synchronize(Machine::current_device()); }

// ---- memory ------------------------------------------------------------------------------------

hipError_t mem_get_info(size_t* free, size_t* total) {
  if (free == nullptr || total == nullptr) return hipErrorInvalidValue;
  *free = machine().memory().free_bytes(Machine::current_device());
  *total = machine().memory().total(Machine::current_device());
  return hipSuccess;
}

hipError_t malloc_device(void** ptr, size_t bytes) {
  if (ptr == nullptr) return hipErrorInvalidValue;
  return machine().memory().allocate(Machine::current_device(), bytes, ptr);
}

// hipFree waits for the whole device, destroyed streams included, so that no queued step can still
// use the block.
hipError_t free_device(void* ptr) {
  if (ptr == nullptr) return hipSuccess;
  const int device = machine().memory().claim(ptr);
  if (device < 0) return hipErrorInvalidValue;
  const hipError_t result = machine().synchronize(device);
  machine().memory().release(ptr);
  return result;
}

// Whether both sides of a copy are what its kind says.
bool sides_fit(const void* dst, const void* src, size_t bytes, hipMemcpyKind kind) {
  const Memory& memory = machine().memory();
  const auto device = [&](const void* p) { return memory.device_of(p, bytes) >= 0; };
  const auto host = [&](const void* p) { return !memory.is_device(p); };
  switch (kind) {
    case hipMemcpyHostToHost:
      return host(dst) && host(src);
    case hipMemcpyHostToDevice:
      return device(dst) && host(src);
    case hipMemcpyDeviceToHost:
      return host(dst) && device(src);
    case hipMemcpyDeviceToDevice:
      return device(dst) && device(src);
    case hipMemcpyDefault:
      return (device(dst) || host(dst)) && (device(src) || host(src));
  }
  return false;
}

hipError_t memcpy_async(void* dst, const void* src, size_t bytes, hipMemcpyKind kind,
                        hipStream_t stream) {
  const auto queue = machine().queue(stream);
  if (queue == nullptr) return hipErrorInvalidHandle;
  if (kind < hipMemcpyHostToHost || kind > hipMemcpyDefault) return hipErrorInvalidMemcpyDirection;
  if (bytes == 0) return hipSuccess;
  if (dst == nullptr || src == nullptr) return hipErrorInvalidValue;
  if (!sides_fit(dst, src, bytes, kind)) return hipErrorInvalidValue;

  // All host memory is pageable here (the table has no hipHostMalloc). HIP lets such a copy return
  // before or after it was made; a small one from the host is staged, so that the caller may reuse
  // its memory at once, every other one with a host side is waited for.
  const bool from_host = !machine().memory().is_device(src);
  const bool to_host = !machine().memory().is_device(dst);
  if (from_host && !to_host && bytes <= machine().profile().staging_bytes.value) {
    const auto* bytes_of = static_cast<const std::byte*>(src);
    auto staged = std::make_shared<std::vector<std::byte>>(bytes_of, bytes_of + bytes);
    return queue->enqueue([dst, staged] { std::memcpy(dst, staged->data(), staged->size()); });
  }
  const hipError_t queued = queue->enqueue([dst, src, bytes] { std::memmove(dst, src, bytes); });
  if (queued != hipSuccess) return queued;
  return from_host || to_host ? queue->synchronize() : hipSuccess;
}

hipError_t memset_async(void* dst, int value, size_t bytes, hipStream_t stream) {
  const auto queue = machine().queue(stream);
  if (queue == nullptr) return hipErrorInvalidHandle;
  if (bytes == 0) return hipSuccess;
  if (machine().memory().device_of(dst, bytes) < 0) return hipErrorInvalidValue;
  return queue->enqueue([dst, value, bytes] { std::memset(dst, value, bytes); });
}

// ---- streams -----------------------------------------------------------------------------------
// The null stream is an ordinary stream of the device: it does not synchronize with others as HIP's
// legacy default stream does.

hipError_t stream_create(hipStream_t* stream, unsigned flags) {
  if (stream == nullptr || (flags & ~hipStreamNonBlocking) != 0) return hipErrorInvalidValue;
  *stream = machine().create_stream(Machine::current_device());
  return hipSuccess;
}

hipError_t stream_destroy(hipStream_t stream) {
  return machine().destroy_stream(stream) ? hipSuccess : hipErrorInvalidHandle;
}

hipError_t stream_synchronize(hipStream_t stream) {
  const auto queue = machine().queue(stream);
  return queue == nullptr ? hipErrorInvalidHandle : queue->synchronize();
}

hipError_t stream_query(hipStream_t stream) {
  const auto queue = machine().queue(stream);
  return queue == nullptr ? hipErrorInvalidHandle : queue->query();
}

hipError_t stream_wait_event(hipStream_t stream, hipEvent_t handle, unsigned flags) {
  const auto queue = machine().queue(stream);
  const auto event = machine().event(handle);
  if (queue == nullptr || event == nullptr) return hipErrorInvalidHandle;
  if (flags != 0) return hipErrorInvalidValue;
  std::shared_ptr<Marker> marker;
  {
    std::lock_guard lock(event->mutex);
    marker = event->marker;
  }
  if (marker == nullptr) return hipSuccess;  // never recorded: nothing to wait for
  // The queue waits, not the caller, for the recording made before this call.
  return queue->enqueue([marker] { marker->wait(); });
}

// No call of the table begins a capture, so no stream is ever capturing.
hipError_t stream_capture_info(hipStream_t stream, hipStreamCaptureStatus* status,
                               unsigned long long* id) {
  if (status == nullptr) return hipErrorInvalidValue;
  if (machine().queue(stream) == nullptr) return hipErrorInvalidHandle;
  *status = hipStreamCaptureStatusNone;
  if (id != nullptr) *id = 0;
  return hipSuccess;
}

// ---- events ------------------------------------------------------------------------------------

hipError_t event_create(hipEvent_t* event, unsigned flags) {
  if (event == nullptr || (flags & ~hipEventDisableTiming) != 0) return hipErrorInvalidValue;
  *event = machine().create_event(Machine::current_device(), flags == hipEventDefault);
  return hipSuccess;
}

hipError_t event_destroy(hipEvent_t event) {
  return machine().destroy_event(event) ? hipSuccess : hipErrorInvalidHandle;
}

hipError_t event_record(hipEvent_t handle, hipStream_t stream) {
  const auto event = machine().event(handle);
  const auto queue = machine().queue(stream);
  if (event == nullptr || queue == nullptr || queue->device() != event->device) {
    return hipErrorInvalidHandle;
  }
  auto marker = std::make_shared<Marker>();
  // Enqueued before it is published: whoever finds the marker finds it ahead of any step that will
  // wait for it, so that queues never wait in a circle.
  const hipError_t queued = queue->enqueue([marker] { marker->complete(); });
  if (queued != hipSuccess) return queued;
  std::lock_guard lock(event->mutex);
  event->marker = std::move(marker);
  return hipSuccess;
}

// The event's last recording. False for a handle that is not alive.
bool find_marker(hipEvent_t handle, std::shared_ptr<Marker>& marker) {
  const auto event = machine().event(handle);
  if (event == nullptr) return false;
  std::lock_guard lock(event->mutex);
  marker = event->marker;
  return true;
}

hipError_t event_query(hipEvent_t event) {
  std::shared_ptr<Marker> marker;
  if (!find_marker(event, marker)) return hipErrorInvalidHandle;
  return marker == nullptr || marker->done() ? hipSuccess : hipErrorNotReady;
}

hipError_t event_synchronize(hipEvent_t event) {
  std::shared_ptr<Marker> marker;
  if (!find_marker(event, marker)) return hipErrorInvalidHandle;
  if (marker != nullptr) marker->wait();
  return hipSuccess;
}

hipError_t event_elapsed(float* ms, hipEvent_t start, hipEvent_t stop) {
  if (ms == nullptr) return hipErrorInvalidValue;
  const auto first = machine().event(start);
  const auto second = machine().event(stop);
  if (first == nullptr || second == nullptr || !first->timing || !second->timing) {
    return hipErrorInvalidHandle;
  }
  std::shared_ptr<Marker> from;
  std::shared_ptr<Marker> to;
  find_marker(start, from);
  find_marker(stop, to);
  if (from == nullptr || to == nullptr) return hipErrorInvalidHandle;  // not recorded
  if (!from->done() || !to->done()) return hipErrorNotReady;
  *ms = std::chrono::duration<float, std::milli>(to->time() - from->time()).count();
  return hipSuccess;
}

}  // namespace

void fill_runtime(Table& t) {
  t.hipGetDeviceCount = get_device_count;
  t.hipSetDevice = set_device;
  t.hipGetDevice = get_device;
  t.hipGetDevicePropertiesR0600 = get_properties;
  t.hipRuntimeGetVersion = get_version;
  t.hipDriverGetVersion = get_version;
  t.hipDeviceSynchronize = device_synchronize;
  t.hipMemGetInfo = mem_get_info;
  t.hipMalloc = malloc_device;
  t.hipFree = free_device;
  t.hipMemcpyAsync = memcpy_async;
  t.hipMemsetAsync = memset_async;
  t.hipStreamCreateWithFlags = stream_create;
  t.hipStreamDestroy = stream_destroy;
  t.hipStreamSynchronize = stream_synchronize;
  t.hipStreamQuery = stream_query;
  t.hipStreamWaitEvent = stream_wait_event;
  t.hipStreamGetCaptureInfo = stream_capture_info;
  t.hipEventCreateWithFlags = event_create;
  t.hipEventDestroy = event_destroy;
  t.hipEventRecord = event_record;
  t.hipEventQuery = event_query;
  t.hipEventSynchronize = event_synchronize;
  t.hipEventElapsedTime = event_elapsed;
  t.hipGetErrorName = error_name;
  t.hipGetErrorString = error_string;
}

}  // namespace hiplab::driver::host
