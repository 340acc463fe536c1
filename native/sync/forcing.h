// The director behind a forced run; see forced_run.h.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sync/director.h"
#include "sync/forced_run.h"
#include "sync/lock_table.h"
#include "sync/name_book.h"
#include "sync/schedule.h"

namespace hiplab::sync::detail {

class Forcing final : public Director {
 public:
  explicit Forcing(Schedule schedule);

  void finish();
  const Schedule& schedule() const { return schedule_; }
  std::vector<OrderResult> results() const;
  std::vector<Place> recorded() const;

  void point(const char* name) override;
  void lock_blocked(Lock& lock, bool shared) override;
  void lock_taken(Lock& lock, bool shared) override;
  void lock_released(Lock& lock, bool shared) override;
  void wait_begins(ConditionVariable& variable, Lock& lock) override;
  void wait_ends(ConditionVariable& variable, Lock& lock) override;
  void thread_starting(const ThreadInfo& child) override;
  void thread_ends() override;
  void join_begins(const ThreadInfo& child) override;
  void join_ends(const ThreadInfo& child) override;

 private:
  using Guard = std::unique_lock<std::mutex>;

  struct Thread {
    std::string given;  // not unique
    std::string name;
    std::map<std::string, int> comings;  // to each point
    const Lock* wanted = nullptr;
    bool wanted_shared = false;
    bool waits = false;  // for a condition under `wanted`
    std::uint64_t joins = 0;
    std::optional<std::size_t> held_by;  // the order that holds it at its second point
    bool ended = false;
  };
  struct OrderState {
    bool first_met = false;
    bool second_came = false;
    bool second_passed = false;
    bool in_order = false;
    bool waited = false;
    bool proved = false;
    std::string let_go;                // why, when the order was given up
    std::vector<std::size_t> through;  // the orders that the proof goes through
    bool by_orders_alone = false;      // it goes through nothing else
    std::vector<std::string> locks;    // and the locks
  };
  // How a thread keeps another from going on; empty text when that cannot be shown.
  struct Chain {
    std::string text;
    std::vector<std::size_t> orders;
    bool orders_alone = true;
    std::vector<std::string> locks;  // by name, from the thread to the waiter
  };

  // All of these want the mutex held.
  Thread& me();
  Thread& add(std::uint64_t id, const std::string& name);
  void hold(Guard& guard, std::uint64_t id, std::size_t order);
  void changed();
  std::optional<std::uint64_t> id_of(const std::string& name) const;
  // How `waiter` itself keeps `thread` from going on, through locks, joins and orders.
  Chain chain(std::uint64_t thread, std::uint64_t waiter, std::set<std::uint64_t>& seen) const;
  OrderResult result(std::size_t order) const;

  const Schedule schedule_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int holding_ = 0;
  bool finished_ = false;
  NameBook names_;
  std::map<std::uint64_t, Thread> threads_;
  std::map<std::string, std::uint64_t> ids_;
  LockTable locks_;
  std::vector<OrderState> states_;
  std::vector<Place> recorded_;
};

}  // namespace hiplab::sync::detail
