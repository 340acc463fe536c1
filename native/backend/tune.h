// Measures what the heuristic offers for one GEMM and keeps the fastest.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "backend/command_stream.h"
#include "backend/context.h"
#include "backend/device.h"
#include "backend/event_pool.h"
#include "backend/gemm_call.h"

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
  std::string skipped;              // why, else empty
  bool chosen = false;              // what later GEMMs of this shape take
};

// Runs each of at most `requested` candidates once to warm up and `repetitions` times between
// events on the stream, and stores the one with the least median in the device's algorithm cache. A
// candidate whose workspace cannot be had, or whose matmul fails, is skipped: no null buffer
// reaches hipblasLtMatmul (mlxcel 2200). The results go into scratch memory; call.c is not written.
//
// Waits for the stream. Throws when requested or repetitions is below 1 or above its most, when the
// stream captures (measuring waits, which a capture forbids), when hipBLASLt has no GEMM for the
// type, and when no candidate could be measured. Thread-safe; one thread at a time should use the
// stream, or the times are of its work too.
std::vector<Tuned> tune(const Context& context, EventPool& events, Device& device,
                        const CommandStream& stream, const GemmCall& call, int requested,
                        int repetitions);

}  // namespace hiplab::backend
