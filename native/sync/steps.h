// The director behind a stepped run; see stepper.h.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sync/chooser.h"
#include "sync/director.h"
#include "sync/lock_table.h"
#include "sync/name_book.h"
#include "sync/stepper.h"

namespace hiplab::sync::detail {

using Duration = std::chrono::nanoseconds;

// What a thread does as soon as it may go on, and what must be so before.
struct Want {
  enum class Kind { go, lock, condition, sleep, join, ended };
  Kind kind = Kind::go;
  const char* what = "";
  std::string where;
  Lock* lock = nullptr;
  bool shared = false;
  std::optional<Predicate> predicate;
  std::optional<Duration> deadline;  // in virtual time
  std::uint64_t target = 0;          // join: the child's id
};

struct Entity {
  std::uint64_t id = 0;
  std::string name;
  Want want;
  bool detached = false;
  bool victim = false;  // gets a Deadlock
  bool timed_out = false;
  std::condition_variable resumed;
};

class Steps final : public Director {
 public:
  Steps(std::shared_ptr<Chooser> chooser, StepperOptions options);

  // Once installed: takes in charge what is alive and stands still.
  void begin();
  void finish();

  std::vector<std::string> trace() const;
  std::vector<std::size_t> choices() const;
  std::optional<std::string> deadlock() const;
  std::string complaint() const;

  void point(const char* name) override;
  void access(const void* address, const char* name, bool write) override;
  void lock_wanted(Lock& lock, bool shared) override;
  void lock_taken(Lock& lock, bool shared) override;
  void lock_released(Lock& lock, bool shared) override;
  void thread_starting(const ThreadInfo& child) override;
  void thread_started(const ThreadInfo& child) override;
  void thread_not_started(const ThreadInfo& child) override;
  void thread_begins() override;
  void thread_ends() override;
  void thread_detached(const ThreadInfo& child) override;
  void join_begins(const ThreadInfo& child) override;
  bool sleep(Duration duration, bool busy) override;
  bool in_charge() const override { return true; }
  Waited wait(ConditionVariable& variable, Mutex& lock, Predicate predicate,
              std::optional<Duration> limit) override;

 private:
  using Guard = std::unique_lock<std::mutex>;

  // All of these want the mutex held.
  Entity* find(std::uint64_t id);
  Entity* mine();
  Entity& add(std::uint64_t id, const std::string& name);
  void tell(const Entity& entity, const char* what, const std::string& where);
  // The calling thread comes to a decision. False when the run has ended. Throws Deadlock.
  bool decide(Guard& guard, Entity& self, Want want);
  // Waits for its turn.
  bool await_turn(Guard& guard, Entity& self);
  void hand_over(Guard& guard);
  Entity* pick(Guard& guard);
  Entity* choose(const std::vector<Entity*>& able);
  std::vector<Entity*> able();
  bool can_go(Entity& entity);
  bool lock_free(Lock& lock, bool shared, const std::optional<Predicate>& predicate);
  bool pass_time();
  bool outsiders_alive() const;
  Entity* victim();
  std::string describe_deadlock();
  void end();

  mutable std::mutex mutex_;
  const std::shared_ptr<Chooser> chooser_;
  const StepperOptions options_;
  bool gathering_ = true;
  bool ended_ = false;
  std::set<std::uint64_t> expected_;
  NameBook names_;
  std::vector<std::unique_ptr<Entity>> entities_;  // in the order in which they came
  std::map<std::uint64_t, Entity*> by_id_;
  Entity* running_ = nullptr;
  LockTable locks_;
  Duration now_{0};
  std::uint64_t decisions_ = 0;
  std::vector<std::size_t> choices_;
  std::vector<std::string> trace_;
  std::optional<std::string> deadlock_;
  std::string complaint_;
};

}  // namespace hiplab::sync::detail
