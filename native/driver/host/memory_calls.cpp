// HIP's memory calls on the software device: checks, then a step on a stream.
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "driver/host/callbacks.h"
#include "driver/host/capture.h"
#include "driver/host/fault.h"
#include "driver/host/machine.h"
#include "driver/host/refusal.h"
#include "driver/host/submit.h"
#include "driver/host/tables.h"

namespace hiplab::driver::host {
namespace {

hipError_t mem_get_info(size_t* free, size_t* total) {
  if (const auto e = refused(Call::inform)) return e;
  if (free == nullptr || total == nullptr) return hipErrorInvalidValue;
  *free = machine().memory().free_bytes(Machine::current_device());
  *total = machine().memory().total(Machine::current_device());
  return hipSuccess;
}

hipError_t malloc_device(void** ptr, size_t bytes) {
  if (const auto e = refused(Call::allocate)) return e;
  if (ptr == nullptr) return hipErrorInvalidValue;
  return machine().memory().allocate(Machine::current_device(), bytes, ptr);
}

// hipFree waits for the whole device, destroyed streams included, so that no queued step can still
// use the block.
hipError_t free_device(void* ptr) {
  if (const auto e = refused(Call::free)) return e;
  if (ptr == nullptr) return hipSuccess;
  const hipError_t waits = refused_in_callback("hipFree", nullptr);
  if (waits != hipSuccess) return waits;
  const int device = machine().memory().claim(ptr);
  if (device < 0) return hipErrorInvalidValue;
  const hipError_t result = machine().synchronize(device);
  // After a fault the block stays: a kernel on another hardware queue may still run.
  if (!faulted()) machine().memory().release(ptr);
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

// In a callback the wait may be refused; then the step has no effect. It has not begun and cannot
// until the callback has returned, as what refuses the wait is a queue that stands until then.
hipError_t submit_and_wait(hipStream_t stream, Queue& queue, Queue::Step step) {
  if (callback_queue() == nullptr) {
    const hipError_t queued = submit(stream, queue.device(), std::move(step));
    return queued == hipSuccess ? queue.synchronize() : queued;
  }
  const hipError_t refused = refused_in_callback("a wait for a copy", &queue);
  if (refused != hipSuccess) return refused;
  const auto called_off = std::make_shared<bool>(false);
  const hipError_t queued = submit(stream, queue.device(), [called_off, step = std::move(step)] {
    if (!*called_off) step();
  });
  if (queued != hipSuccess) return queued;
  const hipError_t waited = queue.synchronize();
  if (waited == hipErrorNotSupported) *called_off = true;
  return waited;
}

hipError_t copy(void* dst, const void* src, size_t bytes, hipMemcpyKind kind, hipStream_t stream,
                bool wait) {
  if (const auto e = refused(Call::enqueue)) return e;
  const auto queue = machine().queue(stream);
  if (queue == nullptr) return hipErrorInvalidHandle;
  if (kind < hipMemcpyHostToHost || kind > hipMemcpyDefault) return hipErrorInvalidMemcpyDirection;
  if (bytes == 0) return wait ? queue->synchronize() : hipSuccess;
  if (dst == nullptr || src == nullptr) return hipErrorInvalidValue;
  if (!sides_fit(dst, src, bytes, kind)) return hipErrorInvalidValue;

  // A step may run when a block is gone, if another thread frees it meanwhile or a graph outlives
  // it: a fault, as on a GPU.
  const bool from_host = !machine().memory().is_device(src);
  const bool to_host = !machine().memory().is_device(dst);
  const auto step = [=] {
    if (!to_host) require_mapped(dst, bytes, "a copy wrote to a block");
    if (!from_host) require_mapped(src, bytes, "a copy read a block");
    std::memmove(dst, src, bytes);
  };
  // A captured copy reads and writes its memory at every launch of the graph, pageable host memory
  // too: the HIP runtime's public source makes a copy node of it, as CUDA does.
  if (captures().capturing(stream)) return submit(stream, queue->device(), step);
  if (wait) return submit_and_wait(stream, *queue, step);
  // Copies from and to pinned host memory return at once. HIP lets one with pageable memory return
  // before or after it was made; a small one from the host is staged, so that the caller may reuse
  // its memory at once, every other one is waited for.
  const bool pageable = (from_host && !machine().memory().is_pinned(src, bytes)) ||
                        (to_host && !machine().memory().is_pinned(dst, bytes));
  if (pageable && from_host && !to_host && bytes <= machine().profile().staging_bytes.value) {
    const auto* bytes_of = static_cast<const std::byte*>(src);
    auto staged = std::make_shared<std::vector<std::byte>>(bytes_of, bytes_of + bytes);
    return submit(stream, queue->device(), [dst, staged] {
      require_mapped(dst, staged->size(), "a copy wrote to a block");
      std::memcpy(dst, staged->data(), staged->size());
    });
  }
  return pageable ? submit_and_wait(stream, *queue, step) : submit(stream, queue->device(), step);
}

hipError_t memcpy_async(void* dst, const void* src, size_t bytes, hipMemcpyKind kind,
                        hipStream_t stream) {
  return copy(dst, src, bytes, kind, stream, false);
}

// On the default stream, and waited for, also when there is nothing to copy.
hipError_t copy_and_wait(void* dst, const void* src, size_t bytes, hipMemcpyKind kind) {
  if (const auto e = refused(Call::synchronous_copy)) return e;
  return copy(dst, src, bytes, kind, nullptr, true);
}

hipError_t fill(void* dst, int value, size_t bytes, hipStream_t stream, bool wait) {
  if (const auto e = refused(Call::enqueue)) return e;
  const auto queue = machine().queue(stream);
  if (queue == nullptr) return hipErrorInvalidHandle;
  if (bytes == 0) return wait ? queue->synchronize() : hipSuccess;
  if (machine().memory().device_of(dst, bytes) < 0) return hipErrorInvalidValue;
  const auto step = [dst, value, bytes] {
    require_mapped(dst, bytes, "a fill wrote to a block");
    std::memset(dst, value, bytes);
  };
  return wait ? submit_and_wait(stream, *queue, step) : submit(stream, queue->device(), step);
}

hipError_t memset_async(void* dst, int value, size_t bytes, hipStream_t stream) {
  return fill(dst, value, bytes, stream, false);
}

hipError_t fill_and_wait(void* dst, int value, size_t bytes) {
  if (const auto e = refused(Call::synchronous_copy)) return e;
  return fill(dst, value, bytes, nullptr, true);
}

}  // namespace

void fill_memory(Table& t) {
  t.hipMemGetInfo = mem_get_info;
  t.hipMalloc = malloc_device;
  t.hipFree = free_device;
  t.hipMemcpy = copy_and_wait;
  t.hipMemset = fill_and_wait;
  t.hipMemcpyAsync = memcpy_async;
  t.hipMemsetAsync = memset_async;
}

}  // namespace hiplab::driver::host
