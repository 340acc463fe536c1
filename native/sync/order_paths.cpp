#include "sync/order_paths.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace hiplab::sync {
namespace {

constexpr std::size_t kStart = std::numeric_limits<std::size_t>::max();

// Whether `earlier` being passed is part of `later` being passed: the same, or an occurrence
// before.
bool implies(const Place& earlier, const Place& later) {
  return earlier.thread == later.thread && earlier.point == later.point &&
         earlier.occurrence <= later.occurrence;
}

}  // namespace

void OrderPaths::add(std::size_t order) {
  if (orders_[order].arrived) return;
  const Place& first = orders_[order].first;
  by_first_.emplace(First{first.thread, first.point, first.occurrence}, order);
}

std::vector<const Order*> OrderPaths::shortest(const Place& from, const Place& to) const {
  struct Reached {
    std::size_t order;
    std::size_t before;  // in `reached`
  };
  std::vector<Reached> reached;
  // From a place the orders of that occurrence and of all later ones go on: of each thread's point,
  // those from here on have been seen.
  std::map<std::pair<std::string, std::string>, int> seen_from;
  for (std::size_t next = 0;; ++next) {
    const std::size_t before = next == 0 ? kStart : next - 1;
    const Place& place = before == kStart ? from : orders_[reached[before].order].second;
    const auto seen =
        seen_from.try_emplace({place.thread, place.point}, std::numeric_limits<int>::max()).first;
    for (auto it = by_first_.lower_bound({place.thread, place.point, place.occurrence});
         it != by_first_.end(); ++it) {
      const Place& first = orders_[it->second].first;
      if (!implies(place, first) || first.occurrence >= seen->second) break;
      reached.push_back({it->second, before});
      if (!implies(orders_[it->second].second, to)) continue;
      std::vector<const Order*> path;
      for (std::size_t at = reached.size() - 1; at != kStart; at = reached[at].before) {
        path.push_back(&orders_[reached[at].order]);
      }
      std::reverse(path.begin(), path.end());
      return path;
    }
    seen->second = std::min(seen->second, place.occurrence);
    if (next == reached.size()) return {};
  }
}

}  // namespace hiplab::sync
