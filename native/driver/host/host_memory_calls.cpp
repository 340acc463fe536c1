// HIP's pinned host memory on the software device.
#include "driver/host/callbacks.h"
#include "driver/host/fault.h"
#include "driver/host/machine.h"
#include "driver/host/refusal.h"
#include "driver/host/tables.h"

namespace hiplab::driver::host {
namespace {

// hipHostMalloc's flags: portable, mapped, write-combined, NUMA, coherent, non-coherent. All this
// memory is the machine's own, so they change nothing.
constexpr unsigned kFlags = 0x1 | 0x2 | 0x4 | 0x20000000 | 0x40000000 | 0x80000000;

hipError_t host_malloc(void** ptr, size_t bytes, unsigned flags) {
  if (const auto e = refused(Call::allocate)) return e;
  if (ptr == nullptr || (flags & ~kFlags) != 0) return hipErrorInvalidValue;
  return machine().memory().allocate_host(bytes, ptr);
}

// Any device may be using it, so all are waited for (assumed, after the HIP runtime's public
// source, which waits for the streams of every device before it frees host memory).
hipError_t host_free(void* ptr) {
  if (const auto e = refused(Call::free)) return e;
  if (ptr == nullptr) return hipSuccess;
  const hipError_t waits = refused_in_callback("hipHostFree", nullptr);
  if (waits != hipSuccess) return waits;
  if (!machine().memory().claim_host(ptr)) return hipErrorInvalidValue;
  hipError_t result = hipSuccess;
  for (int device = 0; device < machine().device_count(); ++device) {
    const hipError_t status = machine().synchronize(device);
    if (result == hipSuccess) result = status;
  }
  if (!faulted()) machine().memory().release(ptr);
  return result;
}

}  // namespace

void fill_host_memory(Table& t) {
  t.hipHostMalloc = host_malloc;
  t.hipHostFree = host_free;
}

}  // namespace hiplab::driver::host
