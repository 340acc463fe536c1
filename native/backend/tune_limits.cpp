#include "backend/tune_limits.h"

#include <sstream>

#include "backend/heuristics.h"
#include "backend/open_captures.h"
#include "backend/timed_gemm.h"

namespace hiplab::backend {

std::string in_millis(std::chrono::nanoseconds duration) {
  std::ostringstream out;
  out << std::chrono::duration<double, std::milli>(duration).count() << " ms";
  return out.str();
}

void check_limits(const TuneLimits& limits) {
  check_count("requested", limits.requested, kMostCandidates);
  check_count("repetitions", limits.repetitions, kMostRepetitions);
  if (limits.bound < kLeastBound || limits.bound > kMostBound) {
    throw Error("tune: the bound is " + in_millis(limits.bound) + ", allowed are " +
                in_millis(kLeastBound) + " to " + in_millis(kMostBound));
  }
  if (limits.cap_bytes > kMaxWorkspaceBytes) {
    throw Error("tune: the workspace cap is " + std::to_string(limits.cap_bytes) +
                " bytes, allowed are 0 to " + std::to_string(kMaxWorkspaceBytes));
  }
}

hipblasLtHandle_t handle_to_tune(Device& device) {
  BlasLtHandle& blaslt = device.blaslt();
  if (blaslt.available()) return blaslt.get();
  const bool captures = !blaslt.settled() && !outside_captures([] {});
  try {
    return blaslt.get();
  } catch (const Error& error) {
    throw Error(std::string("tune: ") + error.what() +
                    (captures ? ": tune when no capture is open, or run one GEMM of the type "
                                "before the capture begins"
                              : ""),
                error.call());
  }
}

hipblasLtHandle_t handle_to_tune(Device& device, ElementType type) {
  const hipblasLtHandle_t handle = handle_to_tune(device);
  check_has_gemm(device, type);
  return handle;
}

}  // namespace hiplab::backend
