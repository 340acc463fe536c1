// The one who sees what threads do at points, locks and waits, and may be in charge of them.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "driver/error.h"
#include "sync/condition_variable.h"
#include "sync/lock.h"
#include "sync/predicate.h"
#include "sync/thread_info.h"

namespace hiplab::sync {

// Thrown out of lock(), wait() and join() by a director in charge of all threads when none of them
// can go on. A sync::Thread that lets it out of its body just ends.
class Deadlock : public Error {
 public:
  using Error::Error;
};

// How a director ended a wait. `perhaps`: look at the predicate again.
enum class Waited { not_in_charge, perhaps, timed_out };

// Each member is called on the thread that acts, and may block it. None but those that say so may
// throw. What members do with raw std types goes unseen; what they do with sync types is seen, so
// they should keep to the raw ones.
class Director {
 public:
  virtual ~Director() = default;

  virtual void point(const char* name) {}
  // Before the read or write.
  virtual void access(const void* address, const char* name, bool write) {}

  // A thread wants a lock, finds it taken, has taken it, is about to release it. try_lock tells
  // only that it has taken it. lock_wanted may throw Deadlock.
  virtual void lock_wanted(Lock& lock, bool shared) {}
  virtual void lock_blocked(Lock& lock, bool shared) {}
  virtual void lock_taken(Lock& lock, bool shared) {}
  virtual void lock_released(Lock& lock, bool shared) {}

  // A wait whose predicate does not hold. Begins: the lock counts as released; ends: it is held
  // again. Not told by a director in charge, see wait().
  virtual void wait_begins(ConditionVariable& variable, Lock& lock) {}
  virtual void wait_ends(ConditionVariable& variable, Lock& lock) {}

  // Threads. Told on the parent: starting before the system is asked for the thread; then started,
  // or not_started when it gives none. Told on the thread itself: begins, ends.
  virtual void thread_starting(const ThreadInfo& child) {}
  virtual void thread_started(const ThreadInfo& child) {}
  virtual void thread_not_started(const ThreadInfo& child) {}
  virtual void thread_begins() {}
  virtual void thread_ends() {}
  virtual void thread_detached(const ThreadInfo& child) {}
  // join_begins may throw Deadlock.
  virtual void join_begins(const ThreadInfo& child) {}
  virtual void join_ends(const ThreadInfo& child) {}

  // A thread is about to sleep, or to keep its core busy. True: the time has passed, virtually.
  virtual bool sleep(std::chrono::nanoseconds duration, bool busy) { return false; }

  // Whether this director, and not the std types, says when a wait is over. Then wait() is called
  // with the lock released and comes back when the lock is free and the predicate holds, or the
  // limit is over. May throw Deadlock.
  virtual bool in_charge() const { return false; }
  virtual Waited wait(ConditionVariable& variable, Mutex& lock, Predicate predicate,
                      std::optional<std::chrono::nanoseconds> limit) {
    return Waited::not_in_charge;
  }
};

// Makes a director the process's one for as long as this object lives. Throws hiplab::Error when
// there is one already.
class Directing {
 public:
  explicit Directing(std::shared_ptr<Director> director);
  // Waits until no thread is inside the director.
  ~Directing();
  Directing(const Directing&) = delete;
  Directing& operator=(const Directing&) = delete;

  // Removes the director and leaves threads that are inside to finish their calls; the director
  // lives as long as they need it.
  void end_without_waiting();

 private:
  std::shared_ptr<Director> director_;
};

namespace detail {

// The director, kept alive for the calling thread; none where there is none or it must not see.
class Use {
 public:
  Use();
  ~Use();
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  explicit operator bool() const { return director_ != nullptr; }
  Director* operator->() const { return director_; }

 private:
  ThreadInfo* const info_;
  const Director* before_ = nullptr;
  Director* director_ = nullptr;
};

}  // namespace detail
}  // namespace hiplab::sync
