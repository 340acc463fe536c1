// The condition variables that backend, forms and the software device wait on.
//
// Only waits with a predicate exist: a schedule that runs one thread at a time decides by the
// predicate alone whether a waiting thread can go on, so that a notification can neither be lost
// nor come by chance.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

#include "sync/mutex.h"
#include "sync/predicate.h"

namespace hiplab::sync {

class ConditionVariable {
 public:
  ConditionVariable() = default;
  ConditionVariable(const ConditionVariable&) = delete;
  ConditionVariable& operator=(const ConditionVariable&) = delete;

  // The predicate is called with the lock held, must not wait for anything, and may be called on
  // another thread (by a director in charge), so that it must not look at thread_local objects.
  // Throws Deadlock, the lock no longer owned, when a director in charge has found one.
  template <typename Condition>
  void wait(std::unique_lock<Mutex>& lock, Condition condition) {
    if (condition()) return;
    block(lock, Predicate(condition), std::nullopt);
  }

  // Returns what the predicate says at the end.
  template <typename Condition>
  bool wait_for(std::unique_lock<Mutex>& lock, std::chrono::nanoseconds limit,
                Condition condition) {
    if (condition()) return true;
    return block(lock, Predicate(condition), limit);
  }

  void notify_one() { variable_.notify_one(); }
  void notify_all() { variable_.notify_all(); }

  // Lets the threads that wait here look whether a director is now in charge of them.
  void wake() { variable_.notify_all(); }

 private:
  using Clock = std::chrono::steady_clock;

  bool block(std::unique_lock<Mutex>& lock, Predicate predicate,
             std::optional<std::chrono::nanoseconds> limit);
  // Once, perhaps in vain.
  void wait_once(Mutex& held, const std::optional<Clock::time_point>& deadline);

  std::condition_variable variable_;
};

}  // namespace hiplab::sync
