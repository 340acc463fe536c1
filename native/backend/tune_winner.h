// Winners of earlier tunes, which are algorithms by the library's own index.
#pragma once

#include <cstddef>
#include <string>

#include "backend/context.h"
#include "backend/device.h"
#include "backend/gemm_call.h"
#include "backend/pipe_cache.h"
#include "backend/tune_limits.h"

namespace hiplab::backend {

// A winner of an earlier tune: what the heuristic must offer now for this shape, under the same
// count and cap.
struct Winner {
  int solution = -1;  // the library's index of it
  std::size_t workspace_bytes = 0;
  std::string name;  // the library's name of it; empty: not told, and not compared
};

// The candidate that the heuristic offers now and that is this winner: the library is handed only
// what it has just offered. Throws, saying what is offered, when it is not among it, naming both
// names when its index is offered under another, and as BoundedTune does of the shape, the limits
// and the handle.
Algorithm offered_winner(const Context& context, Device& device, const GemmShape& shape,
                         const TuneLimits& limits, const Winner& winner);

// Makes later GEMMs of that shape take it.
void apply_winner(const Context& context, Device& device, const GemmShape& shape,
                  const TuneLimits& limits, const Winner& winner);

// As the library tells it, such as 100100. Throws when hipBLASLt cannot be had now.
int blaslt_version(const Context& context, Device& device);

}  // namespace hiplab::backend
