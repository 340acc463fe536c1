// What threads do in a stepped run. Who goes on is decided in steps_decide.cpp.
#include "sync/steps.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace hiplab::sync::detail {
namespace {

Want go(const char* what, std::string where) {
  Want want;
  want.what = what;
  want.where = std::move(where);
  return want;
}

}  // namespace

Steps::Steps(std::shared_ptr<Chooser> chooser, StepperOptions options)
    : chooser_(std::move(chooser)), options_(options) {}

void Steps::begin() {
  const ThreadInfo& me = *this_thread_info();
  const auto threads = living_threads();
  Guard guard(mutex_);
  const bool named = me.name != "thread-" + std::to_string(me.id);
  running_ = &add(me.id, named ? me.name : "main");
  for (const auto& info : threads) {
    if (info->started_here && info->id != me.id) expected_.insert(info->id);
  }
  // Threads that run are let run until they wait for something that has not come; those that wait
  // are woken until they have seen that they are in charge.
  const auto bound = std::chrono::steady_clock::now() + options_.outside_bound;
  for (;;) {
    bool all = true;
    guard.unlock();
    const auto living = living_threads();
    for (const auto& info : living) {
      if (info->id == me.id || !expected_.contains(info->id)) continue;
      {
        const Guard look(mutex_);
        if (by_id_.contains(info->id)) continue;
      }
      all = false;
      const std::lock_guard lock(info->waiting_mutex);
      if (info->waiting != nullptr) info->waiting->wake();
    }
    if (all || std::chrono::steady_clock::now() > bound) {
      guard.lock();
      if (!all) complaint_ = "a thread that was alive before could not be taken in charge";
      break;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    guard.lock();
  }
  // By age, not by the order in which they happened to wake.
  std::sort(entities_.begin() + 1, entities_.end(),
            [](const auto& a, const auto& b) { return a->id < b->id; });
  for (auto entity = entities_.begin() + 1; entity != entities_.end(); ++entity) {
    (*entity)->name = names_.unique((*entity)->name);
  }
  gathering_ = false;
}

void Steps::finish() {
  const Guard guard(mutex_);
  end();
}

void Steps::end() {
  ended_ = true;
  for (const auto& entity : entities_) entity->resumed.notify_all();
}

std::vector<std::string> Steps::trace() const {
  const Guard guard(mutex_);
  return trace_;
}

std::vector<std::size_t> Steps::choices() const {
  const Guard guard(mutex_);
  return choices_;
}

std::optional<std::string> Steps::deadlock() const {
  const Guard guard(mutex_);
  return deadlock_;
}

std::string Steps::complaint() const {
  const Guard guard(mutex_);
  return complaint_;
}

Entity* Steps::find(std::uint64_t id) {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

// Null for a thread that is not in charge, and for all of them once the run has ended.
Entity* Steps::mine() { return ended_ ? nullptr : find(this_thread_info()->id); }

Entity& Steps::add(std::uint64_t id, const std::string& name) {
  auto entity = std::make_unique<Entity>();
  entity->id = id;
  // Those that are gathered get their names when all have come.
  entity->name = gathering_ && running_ != nullptr ? name : names_.unique(name);
  Entity& added = *entity;
  by_id_[id] = entity.get();
  entities_.push_back(std::move(entity));
  return added;
}

void Steps::tell(const Entity& entity, const char* what, const std::string& where) {
  std::string line = entity.name;
  line.append(" ").append(what);
  if (!where.empty()) line.append(" ").append(where);
  trace_.push_back(std::move(line));
}

void Steps::point(const char* name) {
  Guard guard(mutex_);
  if (Entity* self = mine(); self != nullptr) decide(guard, *self, go("point", name));
}

void Steps::access(const void*, const char* name, bool write) {
  if (!options_.at_accesses) return;
  Guard guard(mutex_);
  if (Entity* self = mine(); self != nullptr) {
    decide(guard, *self, go(write ? "write" : "read", name));
  }
}

void Steps::lock_wanted(Lock& lock, bool shared) {
  Guard guard(mutex_);
  Entity* self = mine();
  if (self == nullptr) return;
  Want want = go(shared ? "lock-shared" : "lock", lock.name());
  want.kind = Want::Kind::lock;
  want.lock = &lock;
  want.shared = shared;
  decide(guard, *self, std::move(want));
}

void Steps::lock_taken(Lock& lock, bool shared) {
  const Guard guard(mutex_);
  if (Entity* self = mine(); self != nullptr) locks_.taken(self->id, lock, shared);
}

void Steps::lock_released(Lock& lock, bool shared) {
  const Guard guard(mutex_);
  Entity* self = mine();
  if (self == nullptr) return;
  locks_.released(self->id, lock, shared);
  tell(*self, "unlock", lock.name());
}

Waited Steps::wait(ConditionVariable&, Mutex& lock, Predicate predicate,
                   std::optional<Duration> limit) {
  Guard guard(mutex_);
  if (ended_) return Waited::not_in_charge;
  Want want = go("woken", lock.name());
  want.kind = Want::Kind::condition;
  want.lock = &lock;
  want.predicate = predicate;
  if (limit) want.deadline = now_ + *limit;

  const ThreadInfo& info = *this_thread_info();
  Entity* self = mine();
  bool go_on = false;
  if (self != nullptr) {
    locks_.released(self->id, lock, false);
    tell(*self, "wait", lock.name());
    go_on = decide(guard, *self, std::move(want));
  } else if (gathering_ && expected_.contains(info.id)) {
    self = &add(info.id, info.name);
    self->detached = true;  // whose end somebody awaits is not known: not the one to throw at
    self->want = std::move(want);
    go_on = await_turn(guard, *self);
  } else {
    return Waited::not_in_charge;
  }
  if (!go_on) return Waited::perhaps;
  locks_.taken(self->id, lock, false);
  return self->timed_out ? Waited::timed_out : Waited::perhaps;
}

bool Steps::sleep(Duration duration, bool busy) {
  Guard guard(mutex_);
  Entity* self = mine();
  if (self == nullptr) return false;
  Want want = go(busy ? "busy" : "sleep", "");
  if (!busy && options_.sleeps_in_time) {
    want.kind = Want::Kind::sleep;
    want.deadline = now_ + duration;
  }
  decide(guard, *self, std::move(want));
  return true;
}

void Steps::thread_starting(const ThreadInfo& child) {
  const Guard guard(mutex_);
  Entity* self = mine();
  if (self == nullptr) return;
  Entity& added = add(child.id, child.name);
  added.want = go("begin", "");
  tell(*self, "start", added.name);
}

void Steps::thread_started(const ThreadInfo& child) {
  Guard guard(mutex_);
  Entity* self = mine();
  Entity* started = find(child.id);
  if (self == nullptr || started == nullptr) return;
  decide(guard, *self, go("started", started->name));
}

void Steps::thread_not_started(const ThreadInfo& child) {
  const Guard guard(mutex_);
  Entity* self = mine();
  Entity* failed = find(child.id);
  if (self == nullptr || failed == nullptr) return;
  failed->want.kind = Want::Kind::ended;
  tell(*self, "not-started", failed->name);
}

void Steps::thread_begins() {
  Guard guard(mutex_);
  if (Entity* self = mine(); self != nullptr) await_turn(guard, *self);
}

void Steps::thread_ends() {
  Guard guard(mutex_);
  Entity* self = mine();
  if (self == nullptr) return;
  tell(*self, "end", "");
  self->want = Want{};
  self->want.kind = Want::Kind::ended;
  hand_over(guard);
}

void Steps::thread_detached(const ThreadInfo& child) {
  const Guard guard(mutex_);
  if (Entity* entity = find(child.id); entity != nullptr) entity->detached = true;
}

void Steps::join_begins(const ThreadInfo& child) {
  Guard guard(mutex_);
  Entity* self = mine();
  Entity* target = find(child.id);
  if (self == nullptr || target == nullptr) return;
  Want want = go("join", target->name);
  want.kind = Want::Kind::join;
  want.target = child.id;
  decide(guard, *self, std::move(want));
}

}  // namespace hiplab::sync::detail
