#include "sync/forced_run.h"

#include <utility>

#include "sync/forcing.h"

namespace hiplab::sync {
namespace {

Schedule checked(Schedule schedule) {
  if (schedule.stepped) {
    throw Error("\"" + schedule.stepped->text() +
                "\" cannot be forced on threads that run freely: leave that line out; order, "
                "delay, record and bound are allowed (sync::Stepper, in C++, takes a stepped one)");
  }
  return schedule;
}

}  // namespace

const char* status_name(OrderResult::Status status) {
  switch (status) {
    case OrderResult::Status::held:
      return "held";
    case OrderResult::Status::not_reached:
      return "not reached";
    case OrderResult::Status::excluded:
      return "excluded";
    case OrderResult::Status::conflicting:
      return "in conflict with other orders";
  }
  return "?";
}

ForcedRun::ForcedRun(Schedule schedule)
    : forcing_(std::make_shared<detail::Forcing>(checked(std::move(schedule)))),
      directing_(std::make_unique<Directing>(forcing_)) {}

ForcedRun::~ForcedRun() { finish(); }

void ForcedRun::finish() {
  forcing_->finish();
  directing_.reset();
}

std::vector<OrderResult> ForcedRun::results() const { return forcing_->results(); }
std::vector<Place> ForcedRun::recorded() const { return forcing_->recorded(); }

Schedule ForcedRun::recorded_schedule() const {
  Schedule schedule;
  const std::vector<Place> places = recorded();
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i - 1].thread != places[i].thread) {
      schedule.orders.push_back({places[i - 1], false, places[i]});
    }
  }
  return schedule;
}

std::string ForcedRun::report() const {
  std::string text;
  for (const OrderResult& result : results()) {
    text += result.order.text() + "  # " + status_name(result.status) + ": " + result.detail + "\n";
  }
  Schedule rest = forcing_->schedule();
  rest.orders.clear();
  text += rest.text();
  for (const Place& place : recorded()) text += "# passed " + place.text() + "\n";
  return text;
}

}  // namespace hiplab::sync
