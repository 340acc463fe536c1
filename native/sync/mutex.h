// The locks that backend, forms and the software device take: the std types, under our own names.
//
// They are wrapped so that a schedule can see a thread block and say which lock, by its name,
// excluded an interleaving.
#pragma once

#include <mutex>
#include <shared_mutex>

namespace hiplab::sync {

// As std::mutex. `name` must outlive the mutex (a literal).
class Mutex {
 public:
  explicit Mutex(const char* name) : name_(name) {}
  void lock() { mutex_.lock(); }
  bool try_lock() { return mutex_.try_lock(); }
  void unlock() { mutex_.unlock(); }
  const char* name() const { return name_; }

 private:
  friend class ConditionVariable;
  std::mutex mutex_;
  const char* name_;
};

// As std::shared_mutex.
class SharedMutex {
 public:
  explicit SharedMutex(const char* name) : name_(name) {}
  void lock() { mutex_.lock(); }
  bool try_lock() { return mutex_.try_lock(); }
  void unlock() { mutex_.unlock(); }
  void lock_shared() { mutex_.lock_shared(); }
  bool try_lock_shared() { return mutex_.try_lock_shared(); }
  void unlock_shared() { mutex_.unlock_shared(); }
  const char* name() const { return name_; }

 private:
  std::shared_mutex mutex_;
  const char* name_;
};

}  // namespace hiplab::sync
