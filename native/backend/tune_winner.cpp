#include "backend/tune_winner.h"

#include <sstream>
#include <string>
#include <vector>

#include "backend/candidates.h"
#include "backend/capture_guard.h"
#include "backend/device_guard.h"
#include "backend/heuristics.h"

namespace hiplab::backend {
namespace {

std::string in_words(const std::vector<CandidateFacts>& offered) {
  if (offered.empty()) return "none";
  std::ostringstream out;
  for (const CandidateFacts& one : offered) {
    out << (&one == &offered.front() ? "" : ", ") << one.solution << " (" << one.workspace_bytes
        << " bytes)";
  }
  return out.str();
}

// As a line of the bindings told the winner's: without blanks.
void check_name(const Winner& winner, const std::string& offered) {
  const std::string here = without_blanks(offered);
  if (winner.name.empty() || here.empty() || winner.name == here) return;
  throw Error("the heuristic offers solution " + std::to_string(winner.solution) + " as '" + here +
              "', and the winner is named '" + winner.name +
              "': an index is one algorithm only; tune again on this device");
}

}  // namespace

Algorithm offered_winner(const Context& context, Device& device, const GemmShape& shape,
                         const TuneLimits& limits, const Winner& winner) {
  check_limits(limits);
  check_shape(shape);
  const RelaxedCapture relaxed(context.api());
  const DeviceGuard current(context.api(), device.index());
  const hipblasLtHandle_t handle = handle_to_tune(device, shape.type);
  const auto offered = query_heuristics(context.api(), device.index(), handle,
                                        make_descriptors(context.api(), device.index(), shape),
                                        limits.requested, limits.cap_bytes);
  const auto facts = facts_of(context.provider, handle, offered);
  for (std::size_t i = 0; i < offered.size(); ++i) {
    // An index of -1 is none: nothing tells such candidates apart.
    if (winner.solution < 0 || facts[i].solution != winner.solution) continue;
    if (facts[i].workspace_bytes != winner.workspace_bytes) continue;
    check_name(winner, facts[i].name);
    return {offered[i].algo, offered[i].workspaceSize};
  }
  throw Error("the heuristic does not offer solution " + std::to_string(winner.solution) +
              " with " + std::to_string(winner.workspace_bytes) +
              " bytes of workspace for this shape: of " + std::to_string(limits.requested) +
              " candidates under a cap of " + std::to_string(limits.cap_bytes) +
              " bytes it offers " + in_words(facts) + "; tune again on this device");
}

void apply_winner(const Context& context, Device& device, const GemmShape& shape,
                  const TuneLimits& limits, const Winner& winner) {
  device.algorithms().store_tuned(shape, offered_winner(context, device, shape, limits, winner));
}

int blaslt_version(const Context& context, Device& device) {
  const RelaxedCapture relaxed(context.api());
  const DeviceGuard current(context.api(), device.index());
  int version = 0;
  HIPLAB_CHECK(context.api(), Where{device.index()}, hipblasLtGetVersion, handle_to_tune(device),
               &version);
  return version;
}

}  // namespace hiplab::backend
