// How a GEMM is tuned in bounded time, and what that needs of the device.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "backend/device.h"
#include "backend/gemm_call.h"
#include "backend/workspaces.h"

namespace hiplab::backend {

struct TuneLimits {
  int requested = 8;    // candidates, 1 to kMostCandidates
  int repetitions = 7;  // timed GEMMs of each, 1 to kMostRepetitions
  // For one candidate: its wait for a disposable stream, its warm-up and its repetitions.
  std::chrono::nanoseconds bound = std::chrono::milliseconds(250);
  std::size_t cap_bytes = kMaxWorkspaceBytes;  // of workspace, at most kMaxWorkspaceBytes
};

inline constexpr std::chrono::nanoseconds kLeastBound = std::chrono::microseconds(1);
inline constexpr std::chrono::nanoseconds kMostBound = std::chrono::hours(1);

// Throws when one is out of range, naming it, its value and what is allowed.
void check_limits(const TuneLimits& limits);

// Such as "250 ms".
std::string in_millis(std::chrono::nanoseconds duration);

// The device's handle. Throws when it cannot be had now: none is made while any stream captures, as
// hipblasLtCreate ends the process then (rocm-libraries 11838).
hipblasLtHandle_t handle_to_tune(Device& device);

// The same, where it has GEMMs of that type.
hipblasLtHandle_t handle_to_tune(Device& device, ElementType type);

}  // namespace hiplab::backend
