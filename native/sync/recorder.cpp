#include "sync/recorder.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "sync/lasting.h"
#include "sync/thread_info.h"
#include "sync/watched.h"

namespace hiplab::sync {
namespace {

// Written by its thread alone, read by any signal handler. Never freed: that of a thread that ended
// is taken by a later one.
struct Ring {
  static constexpr long ended = 0;
  static constexpr long taken = -1;

  std::atomic<long> thread{taken};
  std::atomic<const char*> name{""};
  std::atomic<std::uint32_t> reached{0};
  std::array<std::atomic<const char*>, kept_points> points{};
  Ring* next = nullptr;
};

constinit std::atomic<Ring*> rings{nullptr};

// Trivial, so that it can be read while the thread's other locals die.
thread_local Ring* mine = nullptr;
thread_local bool gone = false;

struct Release {
  bool used = false;
  ~Release() {
    if (mine != nullptr) mine->thread.store(Ring::ended, std::memory_order_release);
    mine = nullptr;
    gone = true;
  }
};
thread_local Release release;

const char* name_of_this_thread() {
  if (const ThreadInfo* info = known_thread_info(); info != nullptr && info->named) {
    return lasting(info->name);
  }
  char name[16] = "";
  pthread_getname_np(pthread_self(), name, sizeof name);
  return lasting(name);
}

Ring* free_ring() {
  for (Ring* ring = rings.load(std::memory_order_acquire); ring != nullptr; ring = ring->next) {
    long expected = Ring::ended;
    if (ring->thread.compare_exchange_strong(expected, Ring::taken)) return ring;
  }
  auto* const ring = new Ring;
  ring->next = rings.load(std::memory_order_relaxed);
  while (!rings.compare_exchange_weak(ring->next, ring, std::memory_order_acq_rel)) continue;
  return ring;
}

Ring* take_ring() {
  if (gone) return nullptr;
  release.used = true;  // makes it, so that it dies with the thread
  mine = free_ring();
  mine->reached.store(0, std::memory_order_relaxed);
  mine->name.store(name_of_this_thread(), std::memory_order_relaxed);
  mine->thread.store(syscall(SYS_gettid), std::memory_order_release);
  return mine;
}

}  // namespace

void record_points(bool on) {
  if (on) {
    detail::watched.fetch_or(detail::recorded, std::memory_order_relaxed);
  } else {
    detail::watched.fetch_and(~detail::recorded, std::memory_order_relaxed);
  }
}

bool recording() {
  return (detail::watched.load(std::memory_order_relaxed) & detail::recorded) != 0;
}

void visit_recorded(void (*visit)(const RecordedThread& thread, void* context), void* context) {
  for (Ring* ring = rings.load(std::memory_order_acquire); ring != nullptr; ring = ring->next) {
    const long id = ring->thread.load(std::memory_order_acquire);
    const std::uint32_t reached = ring->reached.load(std::memory_order_acquire);
    if (id <= 0 || reached == 0) continue;
    RecordedThread thread{id, ring->name.load(std::memory_order_relaxed), {}, 0};
    thread.count = reached < kept_points ? reached : kept_points;
    for (std::size_t i = 0; i < thread.count; ++i) {
      const auto at = (reached - thread.count + i) % kept_points;
      thread.points[i] = ring->points[at].load(std::memory_order_relaxed);
    }
    visit(thread, context);
  }
}

namespace detail {

void record(const char* point) {
  Ring* const ring = mine != nullptr ? mine : take_ring();
  if (ring == nullptr) return;
  const std::uint32_t reached = ring->reached.load(std::memory_order_relaxed);
  ring->points[reached % kept_points].store(point, std::memory_order_relaxed);
  ring->reached.store(reached + 1, std::memory_order_release);
}

void record_name() {
  if (mine != nullptr) mine->name.store(name_of_this_thread(), std::memory_order_relaxed);
}

}  // namespace detail
}  // namespace hiplab::sync
