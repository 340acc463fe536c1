#include "sync/condition_variable.h"

#include "sync/director.h"
#include "sync/thread_info.h"

namespace hiplab::sync {
namespace {

// Tells where the thread waits, for a director that comes to be in charge.
class WaitsHere {
 public:
  explicit WaitsHere(ConditionVariable& variable) : info_(this_thread_info()) { set(&variable); }
  ~WaitsHere() { set(nullptr); }
  WaitsHere(const WaitsHere&) = delete;
  WaitsHere& operator=(const WaitsHere&) = delete;

 private:
  void set(ConditionVariable* variable) {
    if (info_ == nullptr) return;
    const std::lock_guard lock(info_->waiting_mutex);
    info_->waiting = variable;
  }
  ThreadInfo* const info_;
};

}  // namespace

bool ConditionVariable::block(std::unique_lock<Mutex>& lock, Predicate predicate,
                              std::optional<std::chrono::nanoseconds> limit) {
  Mutex& held = *lock.mutex();
  std::optional<Clock::time_point> deadline;
  if (limit) deadline = Clock::now() + *limit;
  bool told = false;
  bool met = false;
  for (;;) {
    if (detail::is_watched()) {
      Waited waited = Waited::not_in_charge;
      bool asked = false;
      {
        const detail::Use director;
        if (director && director->in_charge()) {
          asked = true;
          held.native_unlock(false);
          try {
            waited = director->wait(*this, held, predicate, limit);
          } catch (...) {
            lock.release();  // who deadlocks may never get it again
            throw;
          }
        } else if (director && !told) {
          director->wait_begins(*this, held);
          told = true;
        }
      }
      if (asked) {
        held.native_lock(false);  // outside the director, which may be removed meanwhile
        met = predicate();
        if (met || waited == Waited::timed_out) break;
        if (waited == Waited::perhaps) continue;
      }
    }
    wait_once(held, deadline);
    met = predicate();
    if (met || (deadline && Clock::now() >= *deadline)) break;
  }
  if (told && detail::is_watched()) {
    if (const detail::Use director; director) director->wait_ends(*this, held);
  }
  return met;
}

void ConditionVariable::wait_once(Mutex& held, const std::optional<Clock::time_point>& deadline) {
  const WaitsHere here(*this);
  // std::condition_variable over the wrapped mutex itself, and so without a second one.
  std::unique_lock native(held.mutex_, std::adopt_lock);
  if (deadline) {
    variable_.wait_until(native, *deadline);
  } else {
    variable_.wait(native);
  }
  native.release();
}

}  // namespace hiplab::sync
