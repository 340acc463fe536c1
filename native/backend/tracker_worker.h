// The thread of a stream tracker that retires slots and frees what they pinned (MIOpen 12265).
//
// A host callback makes no HIP call: a deallocator's hipFree there would wait for the stream that
// runs it. It only hands over the ticket of one abandonment.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "backend/context.h"
#include "backend/tracker_slots.h"
#include "sync/condition_variable.h"
#include "sync/mutex.h"
#include "sync/thread.h"

namespace hiplab::backend {

// Thread-safe. The thread starts with the first notice, or the first thing to be freed later.
class TrackerWorker {
 public:
  // Called on the worker's thread: takes the abandonment of that ticket out of its slot, if it is
  // still there.
  using Retire = std::function<std::optional<Reclaimed>(std::uint64_t ticket)>;

  TrackerWorker(const Context& context, int device, Retire retire);

  // Takes what has been handed over, then ends the thread. Notices whose callback never ran (a lost
  // device runs none) stay in memory for good: the runtime still holds them.
  ~TrackerWorker();
  TrackerWorker(const TrackerWorker&) = delete;
  TrackerWorker& operator=(const TrackerWorker&) = delete;

  // What hipLaunchHostFunc is to be given for an abandonment: `callback` and the returned pointer.
  // It stays valid until the callback has run, or until withdraw() when it could not be queued.
  void* notice(std::uint64_t ticket);
  void withdraw(std::uint64_t ticket);
  static void callback(void* notice);

  // Frees it soon, on the worker's thread.
  void free_later(Reclaimed reclaimed);

  // Scratch that has been abandoned and not freed, in bytes.
  void pin(std::size_t bytes) { pinned_ += static_cast<std::int64_t>(bytes); }
  std::int64_t pinned() const { return pinned_; }

  // Frees it now, on this thread, under a relaxed capture mode: no capture of another thread ends.
  void free_now(Reclaimed reclaimed);

 private:
  // Shared with callbacks, which may outlive the worker on their way out.
  struct Inbox {
    sync::Mutex mutex{"tracker inbox"};
    sync::ConditionVariable arrived;
    std::vector<std::uint64_t> tickets;
    std::vector<Reclaimed> reclaimed;
    bool stopping = false;
  };
  struct Notice {
    std::shared_ptr<Inbox> inbox;
    std::uint64_t ticket;
  };

  void start();
  void run();
  void take(std::vector<std::uint64_t> tickets, std::vector<Reclaimed> reclaimed);

  const Context context_;
  const int device_;
  const Retire retire_;
  const std::shared_ptr<Inbox> inbox_ = std::make_shared<Inbox>();
  std::map<std::uint64_t, std::unique_ptr<Notice>> notices_;  // under the inbox's mutex
  std::atomic<std::int64_t> pinned_{0};
  sync::Thread thread_;
};

}  // namespace hiplab::backend
