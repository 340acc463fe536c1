// The condition variables that backend, forms and the software device wait on.
//
// Only waits with a predicate exist: a schedule that runs one thread at a time decides by the
// predicate alone whether a waiting thread can go on, so that a notification can neither be lost
// nor come by chance.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "sync/mutex.h"

namespace hiplab::sync {

class ConditionVariable {
 public:
  ConditionVariable() = default;
  ConditionVariable(const ConditionVariable&) = delete;
  ConditionVariable& operator=(const ConditionVariable&) = delete;

  // The predicate is called with the lock held and must not wait for anything.
  template <typename Predicate>
  void wait(std::unique_lock<Mutex>& lock, Predicate predicate) {
    Native native(lock);
    variable_.wait(native.lock, predicate);
  }

  // Returns what the predicate says at the end.
  template <typename Predicate>
  bool wait_for(std::unique_lock<Mutex>& lock, std::chrono::nanoseconds limit,
                Predicate predicate) {
    Native native(lock);
    return variable_.wait_for(native.lock, limit, predicate);
  }

  void notify_one() { variable_.notify_one(); }
  void notify_all() { variable_.notify_all(); }

 private:
  // std::condition_variable over the wrapped mutex itself, and so without a second one.
  struct Native {
    explicit Native(std::unique_lock<Mutex>& held) : lock(held.mutex()->mutex_, std::adopt_lock) {}
    ~Native() { lock.release(); }
    std::unique_lock<std::mutex> lock;
  };

  std::condition_variable variable_;
};

}  // namespace hiplab::sync
