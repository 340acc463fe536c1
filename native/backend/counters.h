// What a backend counts: the route of every GEMM and the handles it made.
//
// Output alone is a weak oracle (a handle made twice gives right products), so runs are judged by
// these as well.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>

namespace hiplab::backend {

struct Counters {
  using Count = std::atomic<std::int64_t>;

  Count route_hipblaslt{0};     // GEMMs that hipBLASLt took
  Count route_rocblas{0};       // GEMMs that rocBLAS took, for whatever reason
  Count route_fallback{0};      // of those: hipBLASLt threw first
  Count route_unavailable{0};   // of those: 16-bit GEMMs for which hipBLASLt said "not available"
  Count handles_rocblas{0};     // rocBLAS handles made, ever
  Count handles_hipblaslt{0};   // hipBLASLt handles made, ever
  Count handles_devices{0};     // Device objects made, ever
  Count handles_pipes{0};       // pipes (descriptor and layouts) made, ever
  Count handles_workspaces{0};  // workspace buffers allocated, ever
  Count handles_encoders{0};    // encoders made, ever
  Count ended_encoders{0};      // of those: destroyed
  Count handles_events{0};      // events created, ever; the pool hands them out again

  std::map<std::string, std::int64_t> snapshot() const {
    return {
        {"route.hipblaslt", route_hipblaslt.load()},
        {"route.rocblas", route_rocblas.load()},
        {"route.fallback", route_fallback.load()},
        {"route.unavailable", route_unavailable.load()},
        {"handles.rocblas", handles_rocblas.load()},
        {"handles.hipblaslt", handles_hipblaslt.load()},
        {"handles.devices", handles_devices.load()},
        {"handles.pipes", handles_pipes.load()},
        {"handles.workspaces", handles_workspaces.load()},
        {"handles.events", handles_events.load()},
        {"handles.encoders", handles_encoders.load()},
        {"ended.encoders", ended_encoders.load()},
    };
  }
};

}  // namespace hiplab::backend
