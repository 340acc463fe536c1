#include "driver/host/fault.h"

#include <cstdio>
#include <mutex>
#include <unordered_set>

#include "driver/host/machine.h"

namespace hiplab::driver::host {

namespace {

// Leaked: a thread may wait while the process exits.
struct Waits {
  sync::Mutex mutex{"device fault"};
  std::unordered_set<EndsAtFault*> waiting;
};

Waits& waits() {
  static auto* const leaked = new Waits;
  return *leaked;
}

}  // namespace

namespace detail {
std::atomic<bool> faulted{false};
}

void fault(int device, const std::string& what) {
  if (detail::faulted.exchange(true)) return;
  std::fprintf(stderr,
               "hiplab: host device %d faulted: %s; from now on every HIP call of this process "
               "fails with hipErrorIllegalAddress (700), so start a new process\n",
               device, what.c_str());
  const std::lock_guard lock(waits().mutex);
  for (EndsAtFault* wait : waits().waiting) {
    // A thread between its predicate and its sleep holds the mutex: it hears of the fault, too.
    const std::lock_guard theirs(wait->mutex_);
    wait->variable_.notify_all();
  }
}

void require_mapped(const void* ptr, std::size_t bytes, const char* what) {
  if (ptr == nullptr || bytes == 0 || machine().memory().mapped(ptr, bytes)) return;
  char text[128];
  std::snprintf(text, sizeof text, "%s of %zu bytes at %p, which is no device memory (any more)",
                what, bytes, ptr);
  throw Fault(text);
}

EndsAtFault::EndsAtFault(sync::Mutex& mutex, sync::ConditionVariable& variable)
    : mutex_(mutex), variable_(variable) {
  const std::lock_guard lock(waits().mutex);
  waits().waiting.insert(this);
}

EndsAtFault::~EndsAtFault() {
  const std::lock_guard lock(waits().mutex);
  waits().waiting.erase(this);
}

}  // namespace hiplab::driver::host
