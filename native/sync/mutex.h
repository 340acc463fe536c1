// The locks that backend and forms take: the std types, under our own names.
//
// Nothing is added today. They are wrapped so that a schedule can later see a thread block and say
// which lock, by its name, excluded an interleaving.
#pragma once

#include <condition_variable>
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

// As std::condition_variable, over Mutex.
using ConditionVariable = std::condition_variable_any;

}  // namespace hiplab::sync
