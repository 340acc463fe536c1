// Which thread holds which lock, as far as a director has seen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sync/lock.h"

namespace hiplab::sync::detail {

// Not thread-safe.
class LockTable {
 public:
  void taken(std::uint64_t thread, const Lock& lock, bool shared) {
    holders_[&lock].push_back({thread, shared});
  }

  // Of a lock that was not seen being taken: nothing.
  void released(std::uint64_t thread, const Lock& lock, bool shared) {
    const auto found = holders_.find(&lock);
    if (found == holders_.end()) return;
    auto& holders = found->second;
    const auto mine = std::find_if(holders.begin(), holders.end(), [&](const Holder& h) {
      return h.thread == thread && h.shared == shared;
    });
    if (mine != holders.end()) holders.erase(mine);
    if (holders.empty()) holders_.erase(found);
  }

  // The threads that keep one that wants the lock from taking it.
  std::vector<std::uint64_t> excluding(const Lock& lock, bool shared) const {
    std::vector<std::uint64_t> threads;
    const auto found = holders_.find(&lock);
    if (found == holders_.end()) return threads;
    for (const Holder& holder : found->second) {
      if (!shared || !holder.shared) threads.push_back(holder.thread);
    }
    return threads;
  }

 private:
  struct Holder {
    std::uint64_t thread;
    bool shared;
  };
  std::unordered_map<const Lock*, std::vector<Holder>> holders_;
};

}  // namespace hiplab::sync::detail
