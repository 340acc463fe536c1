// A wrapper table that notes calls in the trace (sync/trace.h), over any provider.
#pragma once

#include "driver/table.h"

namespace hiplab::driver {

// A table that calls `inner` and, while a trace is on, notes each call that puts work on a stream
// or waits, and those that create or destroy a stream or a library handle, compile or load: thread,
// function, stream, begin and end. Off, a call costs one relaxed load more.
//
// The stream of a GEMM is the one that it ran on: the software device tells where its work went; of
// another provider a rocBLAS handle's stream is read before and after the call, and what was bound
// and bound back in between is not seen. The one that it was meant for is WantedStream's
// (driver/gemm_stream.h), else the same.
//
// What runs when is noted by the software device, step by step, as part of the same trace. GEMMs,
// copies, fills, kernels and graphs of another provider are put between timing events on the stream
// that they go to (driver/event_runs.h), through `provider`, its own table.
//
// The same inner table gives the same wrapper; a member that is null in `inner` is null in the
// wrapper. At most 8 tables of a process can be wrapped (throws hiplab::Error). Thread-safe; both
// tables must stay alive for the rest of the process.
const Table& trace_calls(const Table& inner, const Table& provider);

}  // namespace hiplab::driver
