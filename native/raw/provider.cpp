#include "raw/provider.h"

#include <atomic>
#include <mutex>
#include <optional>

#include "driver/choice.h"
#include "driver/error.h"
#include "driver/rocm/without_device.h"
#include "driver/tracing.h"

namespace hiplab::raw {
namespace {

struct State {
  std::mutex mutex;
  driver::Request request;               // mutex, until `chosen`
  std::optional<driver::Choice> chosen;  // mutex; not changed once it is there
};

// Leaked: raw calls may be made while the process exits.
State& state() {
  static auto* const shared = new State;
  return *shared;
}

constinit std::atomic<const driver::Table*> chosen_table{nullptr};

// The libraries alone, where driver rocm was asked for and has no device. Throws Error where
// libamdhip64 does not load; none when another driver was asked for.
std::optional<driver::Choice> libraries_alone(const driver::Request& request) {
  if (driver::resolve(request).driver != "rocm") return {};
  const auto libraries = driver::rocm_provider::without_device();
  if (libraries.provider == nullptr) {
    // Not for want of a device: the call needs none to be answered.
    throw Error("raw calls need ROCm's libraries with driver rocm: " + libraries.reason +
                "; then start the process again");
  }
  static const auto* const traced = [&libraries] {
    auto* copy = new driver::Provider(*libraries.provider);  // leaked, as providers are
    copy->table = &driver::trace_calls(*libraries.provider->table, *libraries.provider->table);
    return copy;
  }();
  driver::Choice choice;
  choice.candidates = driver::probe(request);
  choice.provider = traced;
  choice.reason = "rocm was asked for and has no usable device, so its libraries answer: " +
                  driver::rocm_provider::look(driver::rocm_provider::Depth::thorough).brief;
  return choice;
}

driver::Choice open(const driver::Request& request) {
  try {
    return driver::choose(request);
  } catch (const Error&) {
    if (const auto libraries = libraries_alone(request)) return *libraries;
    throw;
  }
}

}  // namespace

void set_request(const driver::Request& request) {
  const std::lock_guard lock(state().mutex);
  if (!state().chosen) state().request = request;
}

const driver::Choice& choice() {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (!s.chosen) {
    s.chosen = open(s.request);
    chosen_table.store(s.chosen->provider->table, std::memory_order_release);
  }
  return *s.chosen;
}

const driver::Table& table() {
  const driver::Table* const known = chosen_table.load(std::memory_order_acquire);
  return known != nullptr ? *known : *choice().provider->table;
}

std::string describe() {
  const driver::Choice& chosen = choice();
  return chosen.provider->name + ": " + chosen.provider->detail + " (" + chosen.reason + ")";
}

}  // namespace hiplab::raw
