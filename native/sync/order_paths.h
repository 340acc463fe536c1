// Which places are passed before which, as the orders of a schedule together demand it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "sync/schedule.h"

namespace hiplab::sync {

class OrderPaths {
 public:
  // Of `orders`, those that have been added. One of arrival demands no passing and leads nowhere.
  explicit OrderPaths(const std::vector<Order>& orders) : orders_(orders) {}
  void add(std::size_t order);

  // The fewest orders that lead from one place to another, so that the one is passed before the
  // other; none when there is no such way. Each order is looked at once: the ways are exponentially
  // many.
  std::vector<const Order*> shortest(const Place& from, const Place& to) const;

 private:
  using First = std::tuple<std::string, std::string, int>;  // thread, point, occurrence

  const std::vector<Order>& orders_;  // grows
  std::multimap<First, std::size_t> by_first_;
};

}  // namespace hiplab::sync
