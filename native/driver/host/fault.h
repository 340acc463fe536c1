// The sticky fault of the software device.
//
// After a queue fault on gfx1151 the runtime does not abort: it prints the fault, then every HIP
// call on every thread returns 700 for the rest of the process, hipDeviceReset included, and no
// queued host callback ever runs (measured on gfx1151, mlxcel 1804). So here: queued steps and
// callbacks never run, and every wait ends with hipErrorIllegalAddress. Only hipGetErrorName and
// hipGetErrorString, which ask nothing of the device, go on (assumed). On gfx1151 exit can hang
// while callbacks are pending; here a process ends as ever.
#pragma once

#include <atomic>
#include <stdexcept>
#include <string>

#include "driver/rocm_types.h"
#include "sync/condition_variable.h"
#include "sync/mutex.h"

namespace hiplab::driver::host {

namespace detail {
extern std::atomic<bool> faulted;
}

// Whether a device of the process has faulted.
inline bool faulted() { return detail::faulted.load(std::memory_order_acquire); }

// hipErrorIllegalAddress after a fault, else hipSuccess.
inline rocm::hipError_t fault_status() {
  return faulted() ? rocm::hipErrorIllegalAddress : rocm::hipSuccess;
}

// What a step throws when it touches memory that is not there.
class Fault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Faults that device; the first one of the process prints its line. Not to be called with a lock
// held that a thread may be waiting with.
void fault(int device, const std::string& what);

// Throws Fault unless [ptr, ptr + bytes) lies in memory that is mapped: a block that is live, or
// one that hipFreeAsync has returned to its pool. Null and 0 bytes are left alone.
void require_mapped(const void* ptr, std::size_t bytes, const char* what);

// Makes a wait end at a fault: alive from before the lock is taken until after it is released. The
// wait's predicate must ask faulted().
class EndsAtFault {
 public:
  EndsAtFault(sync::Mutex& mutex, sync::ConditionVariable& variable);
  ~EndsAtFault();
  EndsAtFault(const EndsAtFault&) = delete;
  EndsAtFault& operator=(const EndsAtFault&) = delete;

 private:
  friend void fault(int device, const std::string& what);
  sync::Mutex& mutex_;
  sync::ConditionVariable& variable_;
};

}  // namespace hiplab::driver::host
