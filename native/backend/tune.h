// Measures what the heuristic offers for one GEMM and keeps the fastest.
#pragma once

#include <vector>

#include "backend/command_stream.h"
#include "backend/context.h"
#include "backend/device.h"
#include "backend/event_pool.h"
#include "backend/gemm_call.h"
#include "backend/timed_gemm.h"

namespace hiplab::backend {

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
