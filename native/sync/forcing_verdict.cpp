// What became of the orders, and how one is shown to be impossible.
#include <utility>

#include "sync/forcing.h"

namespace hiplab::sync::detail {

// Sound at any moment: a holder is noted after it has the lock and struck out before it gives it
// up, a thread is noted as blocked only while it does not have the lock, and the waiter, in which
// each chain ends, stands still meanwhile.
Forcing::Chain Forcing::chain(std::uint64_t thread, std::uint64_t waiter,
                              std::set<std::uint64_t>& seen) const {
  if (!seen.insert(thread).second) return {};
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return {};
  const Thread& blocked = found->second;
  const auto through = [&](std::uint64_t by, const std::string& link, bool is_order) -> Chain {
    Chain rest = by == waiter ? Chain{} : chain(by, waiter, seen);
    if (by != waiter && rest.text.empty()) return {};
    rest.text = rest.text.empty() ? link : link + "; " + rest.text;
    rest.orders_alone = rest.orders_alone && is_order;
    return rest;
  };
  if (blocked.held_by) {
    if (states_[*blocked.held_by].first_met) return {};  // it is about to go on
    const Order& order = schedule_.orders[*blocked.held_by];
    const auto by = id_of(order.first.thread);
    if (!by) return {};
    Chain why = through(*by, blocked.name + " is held by \"" + order.text() + "\"", true);
    why.orders.push_back(*blocked.held_by);
    return why;
  }
  if (blocked.wanted != nullptr) {
    for (const std::uint64_t by : locks_.excluding(*blocked.wanted, blocked.wanted_shared)) {
      if (by == thread) continue;
      const std::string link =
          blocked.name +
          (blocked.waits ? " waits for a condition under lock \"" : " waits for lock \"") +
          blocked.wanted->name() + "\", held by " + threads_.at(by).name;
      if (Chain why = through(by, link, false); !why.text.empty()) {
        why.locks.insert(why.locks.begin(), blocked.wanted->name());
        return why;
      }
    }
  }
  if (blocked.joins != 0) {
    const auto child = threads_.find(blocked.joins);
    if (child == threads_.end() || child->second.ended) return {};
    return through(blocked.joins, blocked.name + " waits for the end of " + child->second.name,
                   false);
  }
  return {};
}

std::vector<OrderResult> Forcing::results() const {
  const Guard guard(mutex_);
  std::vector<OrderResult> results;
  for (std::size_t i = 0; i < states_.size(); ++i) results.push_back(result(i));
  // What only an order excluded that itself asks for a point that never came, was not excluded by
  // the program.
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (results[i].status == OrderResult::Status::held) continue;
    for (const std::size_t other : states_[i].through) {
      if (result(other).status == OrderResult::Status::not_reached) {
        results[i].status = OrderResult::Status::not_reached;
        results[i].proved = false;
        results[i].locks.clear();
      }
    }
  }
  return results;
}

OrderResult Forcing::result(std::size_t order) const {
  const OrderState& state = states_[order];
  OrderResult result;
  result.order = schedule_.orders[order];
  result.waited = state.waited;
  if (!state.first_met || !state.second_passed) {
    const Place& missing = state.first_met ? result.order.second : result.order.first;
    result.detail = missing.thread +
                    (state.second_came && state.first_met ? " never passed " : " never came to ") +
                    missing.point;
    if (!state.let_go.empty()) {
      result.detail += " (" + result.order.second.thread + " went on: " + state.let_go + ")";
    }
  } else if (state.in_order) {
    result.status = OrderResult::Status::held;
    result.detail = result.order.second.thread + (state.waited ? " waited" : " came later");
  } else {
    result.status =
        state.by_orders_alone ? OrderResult::Status::conflicting : OrderResult::Status::excluded;
    result.proved = state.proved && !state.by_orders_alone;
    result.locks = state.locks;
    result.detail = state.let_go;
  }
  return result;
}

}  // namespace hiplab::sync::detail
