// What the suites of the stream tracker share: runaway kernels, blocked callbacks, and scratch
// whose deallocator tells where it ran.
#pragma once

#include <cstdlib>

#include "backend/callback_tracker.h"
#include "driver/host/machine.h"
#include "forms/polling_tracker.h"
#include "forms/relaxed_poll_tracker.h"
#include "forms/skip_capturing_tracker.h"
#include "forms/unticketed_tracker.h"
#include "lab.h"

namespace hiplab::lab {

using backend::Event;
using backend::Scratch;
using backend::StreamTracker;

// A hardware queue for every stream of a test: a runaway kernel holds up no other stream.
inline const bool kManyQueues = [] { return setenv("GPU_MAX_HW_QUEUES", "32", 1) == 0; }();

inline const driver::Provider& tracked_host() { return host("splitk"); }

inline std::unique_ptr<Backend> open_with(const driver::Provider& provider, const std::string& part,
                                          Form form) {
  forms::FormChoice choice;
  choice.set(part, form);
  return std::make_unique<Backend>(provider, forms::make_parts(choice));
}

inline std::unique_ptr<StreamTracker> make_tracker(const backend::Context& context,
                                                   backend::Device& device, Form form, int cap) {
  switch (form) {
    case Form::filed:
      return std::make_unique<forms::PollingTracker>(context, device, cap);
    case Form::skip_capturing:
      return std::make_unique<forms::SkipCapturingTracker>(context, device, cap);
    case Form::relaxed_poll:
      return std::make_unique<forms::RelaxedPollTracker>(context, device, cap);
    case Form::no_tickets:
      return std::make_unique<forms::UnticketedTracker>(context, device, cap);
    default:
      return std::make_unique<backend::CallbackTracker>(context, device, cap);
  }
}

// A kernel that runs until it is let go. What is enqueued behind it waits.
class Runaway {
 public:
  explicit Runaway(const CommandStream& stream) : Runaway(stream.get()) {}
  explicit Runaway(hipStream_t stream) {
    EXPECT_EQ(driver::host::machine().queue(stream)->enqueue([end = end_] { return end; }),
              hipSuccess);
  }
  ~Runaway() { let_go(); }
  Runaway(const Runaway&) = delete;
  Runaway& operator=(const Runaway&) = delete;
  void let_go() {
    if (!std::exchange(gone_, true)) end_->complete();
  }
  bool running() const { return !gone_; }

 private:
  const std::shared_ptr<driver::host::Marker> end_ = std::make_shared<driver::host::Marker>();
  bool gone_ = false;
};

// Callbacks run one at a time in the process: while this one is running no other does.
class BlockedCallbacks {
 public:
  explicit BlockedCallbacks(const CommandStream& stream) {
    EXPECT_EQ(tracked_host().table->hipLaunchHostFunc(
                  stream.get(),
                  [](void* user) {
                    auto& self = *static_cast<BlockedCallbacks*>(user);
                    self.running_.set_value();
                    self.go_.get_future().wait();
                    self.left_.set_value();
                  },
                  this),
              hipSuccess);
    running_.get_future().wait();
  }
  ~BlockedCallbacks() { unblock(); }
  BlockedCallbacks(const BlockedCallbacks&) = delete;
  BlockedCallbacks& operator=(const BlockedCallbacks&) = delete;
  void unblock() {
    if (std::exchange(unblocked_, true)) return;
    go_.set_value();
    left_.get_future().wait();
  }

 private:
  std::promise<void> running_;
  std::promise<void> go_;
  std::promise<void> left_;
  bool unblocked_ = false;
};

// What happened, in order, by whom.
class Log {
 public:
  void add(const std::string& what) {
    const std::lock_guard lock(mutex_);
    entries_.emplace_back(what, std::this_thread::get_id());
    changed_.notify_all();
  }
  int count(const std::string& what) {
    const std::lock_guard lock(mutex_);
    return count_locked(what);
  }
  bool wait_for(const std::string& what, int times = 1,
                std::chrono::milliseconds limit = std::chrono::seconds(60)) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, limit, [&] { return count_locked(what) >= times; });
  }
  // Of the first such entry; the entry must exist.
  std::thread::id thread_of(const std::string& what) {
    const std::lock_guard lock(mutex_);
    for (const auto& [entry, thread] : entries_) {
      if (entry == what) return thread;
    }
    ADD_FAILURE() << what << " has not happened";
    return {};
  }
  std::vector<std::string> all() {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> names;
    for (const auto& entry : entries_) names.push_back(entry.first);
    return names;
  }

 private:
  int count_locked(const std::string& what) {
    int found = 0;
    for (const auto& entry : entries_) found += entry.first == what;
    return found;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::pair<std::string, std::thread::id>> entries_;
};

// A block of the device; freeing it is logged under `name` before it begins.
inline Scratch scratch(const driver::Provider& provider, Log& log, const std::string& name,
                       std::size_t bytes = 4096) {
  void* raw = nullptr;
  EXPECT_EQ(provider.table->hipMalloc(&raw, bytes), hipSuccess);
  return {std::shared_ptr<void>(raw,
                                [&provider, &log, name](void* memory) {
                                  log.add(name);
                                  EXPECT_EQ(provider.table->hipFree(memory), hipSuccess) << name;
                                }),
          bytes};
}

// Scratch whose deallocator waits for nothing.
inline Scratch own_scratch(Log& log, const std::string& name) {
  return {std::shared_ptr<void>(new char[4096],  // NOLINT: owned at once
                                [&log, name](void* memory) {
                                  log.add(name);
                                  delete[] static_cast<char*>(memory);
                                }),
          4096};
}

// Waits for what another thread does soon; false after a minute.
template <typename Condition>
bool eventually(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

// Whether it is still not ready after a while, which says that a thread waits or nothing comes.
inline constexpr std::chrono::milliseconds kAWhile{60};

class TrackerTest : public ::testing::Test {
 protected:
  std::unique_ptr<Event> recorded(const CommandStream& stream) {
    auto event = backend_->event(0, false);
    event->record(stream);
    return event;
  }
  std::unique_ptr<StreamTracker> tracker(Form form, int cap) {
    return make_tracker({*provider_, counters_}, backend_->device(0), form, cap);
  }

  const driver::Provider* provider_ = &tracked_host();
  backend::Counters counters_;
  Log log_;
  std::unique_ptr<Backend> backend_ = open(tracked_host(), Form::fixed);
};

}  // namespace hiplab::lab
