// The locks that backend, forms and the software device take: the std types, under our own names.
//
// They are wrapped so that a schedule can see a thread block and say which lock, by its name,
// excluded an interleaving. Without a director each call costs one relaxed load more than the std
// type's.
#pragma once

#include <mutex>
#include <shared_mutex>

#include "sync/lock.h"
#include "sync/watched.h"

namespace hiplab::sync {

namespace detail {

// What a mutex and a shared one have in common: the lock that one thread has.
template <typename Native>
class ExclusiveLock : public Lock {
 public:
  explicit ExclusiveLock(const char* name) : Lock(name) {}
  void lock() {
    if (is_watched()) [[unlikely]] {
      watched_lock(false);
    } else {
      mutex_.lock();
    }
  }
  bool try_lock() {
    if (is_watched()) [[unlikely]]
      return watched_try_lock(false);
    return mutex_.try_lock();
  }
  void unlock() {
    if (is_watched()) [[unlikely]] {
      watched_unlock(false);
    } else {
      mutex_.unlock();
    }
  }

 protected:
  ~ExclusiveLock() = default;

  Native mutex_;
};

}  // namespace detail

// As std::mutex. `name` must outlive the mutex (a literal).
class Mutex final : public detail::ExclusiveLock<std::mutex> {
 public:
  using ExclusiveLock::ExclusiveLock;

  void native_lock(bool) override { mutex_.lock(); }
  bool native_try_lock(bool) override { return mutex_.try_lock(); }
  void native_unlock(bool) override { mutex_.unlock(); }

 private:
  friend class ConditionVariable;
};

// As std::shared_mutex.
class SharedMutex final : public detail::ExclusiveLock<std::shared_mutex> {
 public:
  using ExclusiveLock::ExclusiveLock;

  void lock_shared() {
    if (detail::is_watched()) [[unlikely]] {
      watched_lock(true);
    } else {
      mutex_.lock_shared();
    }
  }
  bool try_lock_shared() {
    if (detail::is_watched()) [[unlikely]]
      return watched_try_lock(true);
    return mutex_.try_lock_shared();
  }
  void unlock_shared() {
    if (detail::is_watched()) [[unlikely]] {
      watched_unlock(true);
    } else {
      mutex_.unlock_shared();
    }
  }

  void native_lock(bool shared) override { shared ? mutex_.lock_shared() : mutex_.lock(); }
  bool native_try_lock(bool shared) override {
    return shared ? mutex_.try_lock_shared() : mutex_.try_lock();
  }
  void native_unlock(bool shared) override { shared ? mutex_.unlock_shared() : mutex_.unlock(); }
};

}  // namespace hiplab::sync
