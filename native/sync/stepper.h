// Stepped mode: one thread runs at a time, and a chooser says which.
//
// In charge of the thread that begins the run, of every sync::Thread alive at that time (device
// queues among them) and of all threads that these start or announce. A thread comes to a decision
// at each point, access note, lock, wait, sleep, join, start and end; then the chooser picks one of
// those that can go on. A wait is over when its lock is free and its predicate holds, whoever
// notifies; time is virtual and passes only when no thread can go on. So the same choices give the
// same run, as long as what threads share goes through sync's types: a raw lock must not be held
// where a thread comes to a decision, and no thread may wait for one that is not in charge.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sync/chooser.h"
#include "sync/director.h"
#include "sync/schedule.h"

namespace hiplab::sync {

namespace detail {
class Steps;
}

struct StepperOptions {
  bool at_accesses = true;     // whether an access note is a decision
  bool sleeps_in_time = true;  // see Stepped
  // A run that takes more decisions is given up: its threads run freely.
  std::uint64_t most_decisions = 1'000'000;
  // How long threads that are not in charge are waited for before none can go on, and when the run
  // begins before they are left out.
  std::chrono::nanoseconds outside_bound = std::chrono::seconds(5);
};

// Constructed and finished by the same thread, which is in charge as "main" unless it has a name.
class Stepper {
 public:
  // Throws hiplab::Error when there is a director already.
  explicit Stepper(std::shared_ptr<Chooser> chooser, StepperOptions options = {});
  // What the schedule's stepped line says; throws hiplab::Error when it has none.
  explicit Stepper(const Schedule& schedule, StepperOptions options = {});
  ~Stepper();
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  // Threads still alive run freely from here on, on the std types.
  void finish();

  // A line for each thing that a thread did: thread, what, where. No addresses, no times.
  std::vector<std::string> trace() const;
  // What was chosen where more than one thread could go on; for ReplayChooser.
  std::vector<std::size_t> choices() const;
  // The choices as a schedule: given to another Stepper, the same run.
  Schedule recorded_schedule() const;
  // The first time that no thread could go on: who waits for what. Then one thread after another
  // got a Deadlock thrown out of its lock(), wait() or join(); detached threads did not.
  std::optional<std::string> deadlock() const;
  // Why the run is not what was asked for: too many decisions, threads that could not be taken in
  // charge. Empty when it is.
  std::string complaint() const;

 private:
  const StepperOptions options_;
  const std::shared_ptr<detail::Steps> steps_;
  std::unique_ptr<Directing> directing_;
};

}  // namespace hiplab::sync
