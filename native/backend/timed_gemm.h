// What the tune loops share: one GEMM between two events, and the table of what they measured.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "backend/candidates.h"
#include "backend/command_stream.h"
#include "backend/context.h"
#include "backend/device.h"
#include "backend/event.h"
#include "backend/gemm_call.h"
#include "backend/heuristics.h"

namespace hiplab::backend {

inline constexpr int kMostRepetitions = 10000;

// One candidate, in the heuristic's order.
struct Tuned {
  int index = 0;
  std::size_t workspace_bytes = 0;
  float waves = 0;
  int solution = -1;  // see CandidateFacts
  std::string name;
  std::optional<double> median_ms;  // device time of one GEMM; empty when it was skipped
  double lower_ms = 0;              // the quartiles of those times, where there is a median
  double upper_ms = 0;
  std::string skipped;  // why, else empty
  bool chosen = false;  // what later GEMMs of this shape take
};

// The row of a candidate that has not been measured.
Tuned untimed(int index, const CandidateFacts& candidate);

// What hipblasLtMatmul needs but an algorithm and its workspace; the pointers are the caller's. C
// is the result itself. The descriptors are read and written by the call alone (mlxcel 2208).
struct TimedGemm {
  hipblasLtHandle_t handle = nullptr;
  const MatmulDescriptors* descriptors = nullptr;
  float alpha = 1.0f;
  const void* a = nullptr;
  const void* b = nullptr;
  float beta = 0.0f;
  void* result = nullptr;
};

// Puts `start`, the GEMM and `stop` on the stream, the events whatever the GEMM's status.
hipblasStatus_t enqueue_timed(const Table& api, const TimedGemm& gemm, const Algorithm& algorithm,
                              void* workspace, std::size_t workspace_bytes,
                              const CommandStream& stream, Event& start, Event& stop);

// What the row says of a GEMM that could not be enqueued, or that has no workspace.
std::string failed_matmul(const Table& api, hipblasStatus_t status);
std::string no_workspace(std::size_t bytes);

// Fills in the median and the quartiles of at least one time, each of them one that was measured.
void fill_times(Tuned& row, std::vector<double> times);

// The row with the least median; null when none was measured.
Tuned* fastest(std::vector<Tuned>& rows);

// Throws "NAME is VALUE, allowed are 1 to MOST".
void check_count(const char* name, int value, int most);

// Throws when hipBLASLt has no GEMM of that type on the device, or the router gives it none.
void check_has_gemm(Device& device, ElementType type);

}  // namespace hiplab::backend
