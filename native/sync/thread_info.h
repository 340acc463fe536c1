// What is known of a thread: its number, its name, and what it is doing with a director.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hiplab::sync {

class ConditionVariable;
class Director;

// Every sync::Thread has one from its construction to its end; a thread that something else started
// gets one when it is named or first seen by a director.
struct ThreadInfo {
  ThreadInfo(std::uint64_t id, std::string name, bool started_here, bool named)
      : id(id), started_here(started_here), named(named), name(std::move(name)) {}

  const std::uint64_t id;   // in order of construction, never used twice in a process
  const bool started_here;  // by sync::Thread
  bool named;               // false while the name is a number's; changed as the name is
  std::string name;         // changed by the thread itself only; not unique

  // The director whose member this thread is in. Who removes a director waits until no thread is.
  std::atomic<const Director*> inside{nullptr};
  // Above 0, what the thread does goes unseen. Touched by the thread itself only.
  int unseen = 0;

  // Where the thread waits without a director in charge, so that one that comes to be in charge can
  // wake it and take it over.
  std::mutex waiting_mutex;
  ConditionVariable* waiting = nullptr;
};

// The calling thread's; made on demand. Null in a thread whose thread_local objects are gone.
ThreadInfo* this_thread_info();

// The same, but null also in a thread that has none yet.
ThreadInfo* known_thread_info();

// Names the calling thread, which something other than sync::Thread started, for good.
void name_thread(std::string name);

// The calling thread's name; "thread-7" for one that nobody named.
std::string thread_name();

// Names the calling thread, which something other than sync::Thread started, for as long as this
// object lives. Use names without spaces and colons: schedules name threads.
class ThreadName {
 public:
  explicit ThreadName(std::string name);
  ~ThreadName();
  ThreadName(const ThreadName&) = delete;
  ThreadName& operator=(const ThreadName&) = delete;

 private:
  std::string before_;
  bool named_before_ = false;
};

namespace detail {

std::shared_ptr<ThreadInfo> new_thread_info(std::string name, bool started_here);
void forget_thread(const ThreadInfo& info);
// Makes `info` the calling thread's, until the last of its thread_local objects is gone: those that
// come later die earlier, and what they do is seen.
void become(std::shared_ptr<ThreadInfo> info);
// The calling thread goes on as one that was never seen.
void unbecome();
// All that live, by id.
std::vector<std::shared_ptr<ThreadInfo>> living_threads();

}  // namespace detail
}  // namespace hiplab::sync
