#include "sync/stepper.h"

#include <utility>

#include "sync/steps.h"

namespace hiplab::sync {
namespace {

const Stepped& stepped_of(const Schedule& schedule) {
  if (!schedule.stepped) {
    throw Error(
        "the schedule has no stepped line, and a stepped run needs one: add stepped "
        "seed=NUMBER, or give it to a forced run");
  }
  return *schedule.stepped;
}

std::shared_ptr<Chooser> chooser_of(const Stepped& stepped) {
  if (stepped.seed) return std::make_shared<SeededChooser>(*stepped.seed);
  return std::make_shared<ReplayChooser>(stepped.choices);
}

StepperOptions with(StepperOptions options, const Stepped& stepped) {
  options.sleeps_in_time = stepped.sleeps_in_time;
  return options;
}

}  // namespace

Stepper::Stepper(std::shared_ptr<Chooser> chooser, StepperOptions options)
    : options_(options),
      steps_(std::make_shared<detail::Steps>(std::move(chooser), options)),
      directing_(std::make_unique<Directing>(steps_)) {
  steps_->begin();
}

Stepper::Stepper(const Schedule& schedule, StepperOptions options)
    : Stepper(chooser_of(stepped_of(schedule)), with(options, stepped_of(schedule))) {}

Stepper::~Stepper() { finish(); }

void Stepper::finish() {
  steps_->finish();
  directing_.reset();
}

std::vector<std::string> Stepper::trace() const { return steps_->trace(); }
std::vector<std::size_t> Stepper::choices() const { return steps_->choices(); }
Schedule Stepper::recorded_schedule() const {
  Schedule schedule;
  schedule.stepped = Stepped{std::nullopt, choices(), options_.sleeps_in_time};
  return schedule;
}

std::optional<std::string> Stepper::deadlock() const { return steps_->deadlock(); }
std::string Stepper::complaint() const { return steps_->complaint(); }

}  // namespace hiplab::sync
