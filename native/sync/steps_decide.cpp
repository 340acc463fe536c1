// Who goes on in a stepped run.
#include <algorithm>
#include <cstdio>
#include <utility>

#include "sync/steps.h"

namespace hiplab::sync::detail {
namespace {

constexpr auto kSilence = std::chrono::seconds(10);

// What a predicate or a try on a lock does is no event.
class Unseen {
 public:
  Unseen() : info_(*this_thread_info()) { ++info_.unseen; }
  ~Unseen() { --info_.unseen; }
  Unseen(const Unseen&) = delete;
  Unseen& operator=(const Unseen&) = delete;

 private:
  ThreadInfo& info_;
};

}  // namespace

bool Steps::decide(Guard& guard, Entity& self, Want want) {
  self.want = std::move(want);
  self.timed_out = false;
  if (++decisions_ > options_.most_decisions) {
    complaint_ = "given up after " + std::to_string(options_.most_decisions) + " decisions";
    end();
    return false;
  }
  hand_over(guard);
  return await_turn(guard, self);
}

bool Steps::await_turn(Guard& guard, Entity& self) {
  bool told = false;
  std::uint64_t seen = decisions_;
  while (running_ != &self && !ended_) {
    if (self.resumed.wait_for(guard, kSilence) == std::cv_status::timeout && !gathering_ && !told &&
        running_ != nullptr && seen == decisions_) {
      std::fprintf(stderr,
                   "hiplab: stepped mode: thread %s has come to no decision for 10 s: it computes, "
                   "or waits for something outside sync's types\n",
                   running_->name.c_str());
      told = true;
    }
    seen = decisions_;
  }
  if (ended_) return false;
  if (self.victim) {
    self.victim = false;
    tell(self, "deadlock", self.want.where);
    throw Deadlock(*deadlock_);
  }
  tell(self, self.timed_out ? "timed-out" : self.want.what, self.want.where);
  return true;
}

void Steps::hand_over(Guard& guard) {
  running_ = pick(guard);
  if (running_ != nullptr) running_->resumed.notify_one();
}

Entity* Steps::pick(Guard& guard) {
  const auto bound = std::chrono::steady_clock::now() + options_.outside_bound;
  for (;;) {
    if (const auto candidates = able(); !candidates.empty()) return choose(candidates);
    if (pass_time()) continue;
    if (!outsiders_alive() || std::chrono::steady_clock::now() > bound) return victim();
    // Only a thread outside can change anything now.
    std::condition_variable nobody_notifies;
    nobody_notifies.wait_for(guard, std::chrono::milliseconds(1));
  }
}

std::vector<Entity*> Steps::able() {
  const Unseen unseen;
  std::vector<Entity*> able;
  for (const auto& entity : entities_) {
    if (can_go(*entity)) able.push_back(entity.get());
  }
  return able;
}

Entity* Steps::choose(const std::vector<Entity*>& able) {
  if (able.size() == 1) return able[0];
  std::vector<Candidate> candidates;
  std::size_t running = able.size();
  for (std::size_t i = 0; i < able.size(); ++i) {
    if (able[i] == running_) running = i;
    candidates.push_back({able[i]->name, able[i]->want.what, able[i]->want.where});
  }
  const std::size_t chosen = std::min(chooser_->choose(candidates, running), able.size() - 1);
  choices_.push_back(chosen);
  return able[chosen];
}

bool Steps::can_go(Entity& entity) {
  const Want& want = entity.want;
  switch (want.kind) {
    case Want::Kind::go:
      return true;
    case Want::Kind::lock:
      return lock_free(*want.lock, want.shared, std::nullopt);
    case Want::Kind::condition:
      if (lock_free(*want.lock, false, want.predicate)) {
        entity.timed_out = false;
        return true;
      }
      entity.timed_out =
          want.deadline && *want.deadline <= now_ && lock_free(*want.lock, false, std::nullopt);
      return entity.timed_out;
    case Want::Kind::sleep:
      return *want.deadline <= now_;
    case Want::Kind::join: {
      const Entity* target = find(want.target);
      return target == nullptr || target->want.kind == Want::Kind::ended;
    }
    case Want::Kind::ended:
      return false;
  }
  return false;
}

// Asks the lock itself as well: a thread that is not in charge may hold it.
bool Steps::lock_free(Lock& lock, bool shared, const std::optional<Predicate>& predicate) {
  if (!locks_.excluding(lock, shared).empty()) return false;
  if (!lock.native_try_lock(shared)) return false;
  const bool holds = !predicate || (*predicate)();
  lock.native_unlock(shared);
  return holds;
}

// To the next time that somebody waits for.
bool Steps::pass_time() {
  std::optional<Duration> next;
  for (const auto& entity : entities_) {
    const Want& want = entity->want;
    if (want.kind == Want::Kind::ended || !want.deadline || *want.deadline <= now_) continue;
    if (!next || *want.deadline < *next) next = want.deadline;
  }
  if (!next) return false;
  now_ = *next;
  return true;
}

bool Steps::outsiders_alive() const {
  for (const auto& info : living_threads()) {
    if (!by_id_.contains(info->id)) return true;
  }
  return false;
}

// A thread that waits for a lock before one that waits for a condition before one that joins: what
// it unwinds may let the others go on.
Entity* Steps::victim() {
  if (!deadlock_) deadlock_ = describe_deadlock();
  for (const auto kind : {Want::Kind::lock, Want::Kind::condition, Want::Kind::join}) {
    for (const auto& entity : entities_) {
      if (entity->want.kind != kind || entity->detached) continue;
      entity->victim = true;
      return entity.get();
    }
  }
  return nullptr;  // only detached threads are left
}

std::string Steps::describe_deadlock() {
  std::string text = "no thread can go on:";
  const char* separator = " ";
  for (const auto& entity : entities_) {
    const Want& want = entity->want;
    if (want.kind == Want::Kind::ended) continue;
    text.append(separator).append(entity->name);
    separator = "; ";
    if (want.kind == Want::Kind::join) {
      text.append(" waits for the end of ").append(want.where);
      continue;
    }
    text.append(want.kind == Want::Kind::condition ? " waits for its condition under lock \""
                                                   : " waits for lock \"");
    text.append(want.lock->name()).append("\"");
    const auto holders = locks_.excluding(*want.lock, want.shared);
    const char* who = ", held by ";
    for (const std::uint64_t id : holders) {
      text.append(who).append(find(id)->name);
      who = " and ";
    }
    if (holders.empty() && want.kind == Want::Kind::lock) text += ", held by a thread outside";
  }
  return text;
}

}  // namespace hiplab::sync::detail
