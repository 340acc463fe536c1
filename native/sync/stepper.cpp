#include "sync/stepper.h"

#include <utility>

#include "sync/steps.h"

namespace hiplab::sync {

Stepper::Stepper(std::shared_ptr<Chooser> chooser, StepperOptions options)
    : steps_(std::make_shared<detail::Steps>(std::move(chooser), options)),
      directing_(std::make_unique<Directing>(steps_)) {
  steps_->begin();
}

Stepper::~Stepper() { finish(); }

void Stepper::finish() {
  steps_->finish();
  directing_.reset();
}

std::vector<std::string> Stepper::trace() const { return steps_->trace(); }
std::vector<std::size_t> Stepper::choices() const { return steps_->choices(); }
std::optional<std::string> Stepper::deadlock() const { return steps_->deadlock(); }
std::string Stepper::complaint() const { return steps_->complaint(); }

}  // namespace hiplab::sync
