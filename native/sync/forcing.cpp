// What threads do under a schedule, and where they are held. The verdicts are in
// forcing_verdict.cpp.
#include "sync/forcing.h"

namespace hiplab::sync::detail {

Forcing::Forcing(Schedule schedule)
    : schedule_(std::move(schedule)), states_(schedule_.orders.size()) {}

void Forcing::finish() {
  const Guard guard(mutex_);
  finished_ = true;
  changed_.notify_all();
}

std::vector<Place> Forcing::recorded() const {
  const Guard guard(mutex_);
  return recorded_;
}

Forcing::Thread& Forcing::add(std::uint64_t id, const std::string& name) {
  Thread& thread = threads_[id];
  ids_.erase(thread.name);
  thread.given = name;
  thread.name = names_.unique(name);
  ids_[thread.name] = id;
  return thread;
}

// A thread is known from its start, or from what it does first; ThreadName may name it later.
Forcing::Thread& Forcing::me() {
  const ThreadInfo& info = *this_thread_info();
  const auto found = threads_.find(info.id);
  const bool known = found != threads_.end() && found->second.given == info.name;
  return known ? found->second : add(info.id, info.name);
}

std::optional<std::uint64_t> Forcing::id_of(const std::string& name) const {
  const auto found = ids_.find(name);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

void Forcing::changed() {
  if (holding_ > 0) changed_.notify_all();
}

// Arrives, waits for what comes first, stays for the delays, passes.
void Forcing::point(const char* name) {
  Guard guard(mutex_);
  const std::uint64_t id = this_thread_info()->id;
  Thread& self = me();
  const Place here{self.name, name, ++self.comings[name]};
  const std::vector<Order>& orders = schedule_.orders;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (orders[i].arrived && orders[i].first == here) states_[i].first_met = true;
    if (orders[i].second == here) states_[i].second_came = true;
  }
  changed();
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (orders[i].second == here) hold(guard, id, i);
  }
  for (const Delay& delay : schedule_.delays) {
    if (delay.point != name || (!delay.thread.empty() && delay.thread != self.name)) continue;
    // Until the run is finished: whoever finishes it may wait for this thread.
    changed_.wait_for(guard, delay.duration, [this] { return finished_; });
  }
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (orders[i].second == here) {
      states_[i].second_passed = true;
      states_[i].in_order = states_[i].first_met;
    }
    if (!orders[i].arrived && orders[i].first == here) states_[i].first_met = true;
  }
  if (schedule_.record) recorded_.push_back(here);
  changed();
}

void Forcing::hold(Guard& guard, std::uint64_t id, std::size_t order) {
  OrderState& state = states_[order];
  if (state.first_met || finished_) return;
  const Order& wanted = schedule_.orders[order];
  const auto deadline = std::chrono::steady_clock::now() + schedule_.bound;
  state.waited = true;
  threads_[id].held_by = order;
  ++holding_;
  changed_.notify_all();  // others may wait for this thread
  while (!state.first_met && !finished_) {
    const auto first = id_of(wanted.first.thread);
    if (first && threads_[*first].ended) {
      state.let_go = wanted.first.thread + " has ended";
      break;
    }
    if (first) {
      std::set<std::uint64_t> seen;
      Chain proof = chain(*first, id, seen);
      if (!proof.text.empty()) {
        state.proved = true;
        state.by_orders_alone = proof.orders_alone;
        state.let_go = std::move(proof.text);
        state.through = std::move(proof.orders);
        state.locks = std::move(proof.locks);
        break;
      }
    }
    if (changed_.wait_until(guard, deadline) == std::cv_status::timeout && !state.first_met) {
      state.let_go = wanted.first.text() + " did not come within " + duration_text(schedule_.bound);
      break;
    }
  }
  if (!state.first_met && state.let_go.empty()) state.let_go = "the run was finished";
  --holding_;
  threads_[id].held_by.reset();
  changed_.notify_all();
}

void Forcing::lock_blocked(Lock& lock, bool shared) {
  const Guard guard(mutex_);
  Thread& self = me();
  self.wanted = &lock;
  self.wanted_shared = shared;
  changed();
}

void Forcing::lock_taken(Lock& lock, bool shared) {
  const Guard guard(mutex_);
  me().wanted = nullptr;
  locks_.taken(this_thread_info()->id, lock, shared);
  changed();
}

void Forcing::lock_released(Lock& lock, bool shared) {
  const Guard guard(mutex_);
  locks_.released(this_thread_info()->id, lock, shared);
}

void Forcing::wait_begins(ConditionVariable&, Lock& lock) {
  const Guard guard(mutex_);
  Thread& self = me();
  locks_.released(this_thread_info()->id, lock, false);
  self.wanted = &lock;
  self.wanted_shared = false;
  self.waits = true;
  changed();
}

void Forcing::wait_ends(ConditionVariable&, Lock& lock) {
  const Guard guard(mutex_);
  Thread& self = me();
  self.wanted = nullptr;
  self.waits = false;
  locks_.taken(this_thread_info()->id, lock, false);
  changed();
}

void Forcing::thread_starting(const ThreadInfo& child) {
  const Guard guard(mutex_);
  add(child.id, child.name);
}

void Forcing::thread_ends() {
  const Guard guard(mutex_);
  me().ended = true;
  changed();
}

void Forcing::join_begins(const ThreadInfo& child) {
  const Guard guard(mutex_);
  me().joins = child.id;
  changed();
}

void Forcing::join_ends(const ThreadInfo&) {
  const Guard guard(mutex_);
  me().joins = 0;
}

}  // namespace hiplab::sync::detail
