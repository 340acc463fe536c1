// A value for each thread that asks, as thread_local gives it, but owned by an object: a backend
// that dies takes the values of threads that live on with it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sync/mutex.h"

namespace hiplab::backend {

// A thread's value dies when the thread ends, the rest with this object, which must not be in use
// then. A value must not refer to this object.
template <typename T>
class PerThread {
 public:
  // `name` of the lock, which is taken once in a thread.
  explicit PerThread(const char* name) : id_(next_id()), mutex_(name) {}
  PerThread(const PerThread&) = delete;
  PerThread& operator=(const PerThread&) = delete;

  ~PerThread() {
    const std::lock_guard lock(mutex_);
    for (const auto& entry : all_) {
      const auto slot = entry.lock();
      if (slot == nullptr) continue;  // its thread has ended, or is about to destroy it
      slot->value.reset();
      slot->retired.store(true, std::memory_order_release);
    }
  }

  // The calling thread's value; default constructed at first.
  T& mine() {
    Slots& slots = own_slots();
    if (const auto found = slots.find(id_); found != slots.end()) return *found->second->value;
    std::erase_if(slots, [](const auto& entry) {
      return entry.second->retired.load(std::memory_order_acquire);
    });
    const auto slot = std::make_shared<Slot>();
    slot->value.emplace();
    {
      const std::lock_guard lock(mutex_);
      std::erase_if(all_, [](const auto& entry) { return entry.expired(); });
      all_.push_back(slot);
    }
    return *slots.emplace(id_, slot).first->second->value;
  }

 private:
  struct Slot {
    std::optional<T> value;
    std::atomic<bool> retired{false};  // the owner is dead
  };
  // By the owner's id: a dead owner's address may be used again, its id is not.
  using Slots = std::unordered_map<std::uint64_t, std::shared_ptr<Slot>>;

  static Slots& own_slots() {
    static thread_local Slots slots;
    return slots;
  }

  static std::uint64_t next_id() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
  }

  const std::uint64_t id_;
  sync::Mutex mutex_;
  std::vector<std::weak_ptr<Slot>> all_;  // mutex_
};

}  // namespace hiplab::backend
