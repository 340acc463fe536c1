// A wrapper table that looks at what a status does not tell: on which stream a GEMM ran (mlxcel
// 2198), on which device a library handle was made, and whose workspace and descriptors a matmul
// was given (mlxcel 2200).
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "driver/table.h"

namespace hiplab::driver {

// A table that calls `inner` and counts, of the calls that succeed,
// - GEMMs of rocBLAS and hipBLASLt under a WantedStream (driver/gemm_stream.h): whether they ran on
//   that stream. rocBLAS reads the stream that is bound to the handle late in the call. Where the
//   provider notes its submissions, those are the truth. Elsewhere the handle's stream is read
//   before and after the call, and one of them being another one counts as another stream: what was
//   bound and bound back in between is not seen.
// - handles that are created: the device that was current.
//
// and, of all calls of hipblasLtMatmul as they begin, those
// - whose workspace lies in no block that is allocated now (workspace.freed), or in one that ends
//   before the workspace does (workspace.past-the-end),
// - whose block another stream used last, with nothing in between that makes this one come after
//   it (workspace.two-streams): a wait of the host, or an event that was recorded there and that
//   this stream waits for. Captured calls count as calls of their stream, launches of a graph are
//   not seen. That work is not known to have ended does not mean that it still runs,
// - with a descriptor or layout that has been destroyed, or what never was a descriptor
//   (descriptor.destroyed), or one that is destroyed before the call returns
//   (descriptor.destroyed-during),
// - while another thread was inside with the same descriptor (descriptor.two-threads).
// workspace.blocks: blocks that were given to at least one call. All of it is taken from arguments
// of the calls, so that it is true of every provider; hipFree waits for the device, as HIP says.
//
// The same inner table gives the same wrapper; a member that is null in `inner` is null in the
// wrapper. At most four tables of a process can be wrapped (throws hiplab::Error). Thread-safe;
// both tables must stay alive for the rest of the process.
const Table& watch_calls(const Table& inner);

// Over all wrapped tables: gemm.own-stream, gemm.other-stream, the counts named above, and where at
// least one was made created.rocblas.device-<n> and created.hipblaslt.device-<n>. Empty when no
// table is wrapped.
std::map<std::string, std::int64_t> watched_calls();

}  // namespace hiplab::driver
