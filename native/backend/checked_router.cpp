#include "backend/checked_router.h"

#include <cstdio>
#include <string>

#include "backend/capture_status.h"
#include "backend/device_guard.h"

namespace hiplab::backend {

namespace {

// No handle is created while the stream captures: hipblasLtCreate ends the process then
// (rocm-libraries 11838), and rocblas_create_handle has not been checked (mlxcel 2198).
template <typename Library>
bool must_not_create(const Table& api, const Library& library, const Where& where) {
  return !library.settled() && capturing(api, where);
}

}  // namespace

bool CheckedRouter::can_use_rocblas(Device& device, hipStream_t stream) const {
  Rocblas& rocblas = device.rocblas();
  if (must_not_create(context_.api(), rocblas, {device.index(), stream})) return false;
  return rocblas.available();
}

bool CheckedRouter::can_use_hipblaslt(Device& device, hipStream_t stream) const {
  BlasLtHandle& blaslt = device.blaslt();
  if (!must_not_create(context_.api(), blaslt, {device.index(), stream})) return blaslt.available();
  if (blaslt.failed()) return false;  // as for the GEMMs before the capture
  throw Error("hipBLASLt has no handle yet on device " + std::to_string(device.index()) +
              ", and none can be created while the stream is capturing: run one GEMM of the type "
              "before the capture begins");
}

void CheckedRouter::through_rocblas(Device& device, hipStream_t stream, const GemmCall& call) {
  const Table& api = context_.api();
  if (must_not_create(api, device.rocblas(), {device.index(), stream})) {
    throw Error("rocBLAS has no handle yet on device " + std::to_string(device.index()) +
                ", and none can be created while the stream is capturing: run one GEMM before the "
                "capture begins");
  }
  // rocBLAS wants the handle's device to be current when it is used.
  const DeviceGuard current(api, device.index());
  const rocblas_status status = device.rocblas().with_handle(
      stream, [&](rocblas_handle handle) { return rocblas_gemm(api, handle, call); });
  check(api, status,
        call.shape.type == ElementType::f32 && call.shape.batch == 1
            ? "rocblas_sgemm"
            : "rocblas_gemm_strided_batched_ex",
        Where{device.index(), stream});
  ++context_.counters.route_rocblas;
}

void CheckedRouter::through_hipblaslt_alone(Device& device, hipStream_t stream,
                                            const GemmCall& call) {
  if (!can_use_hipblaslt(device, stream)) {
    throw Error("GEMM of " + std::string(element_name(call.shape.type)) +
                ": hipBLASLt is not available on device " + std::to_string(device.index()) +
                ", and no other route takes the type: convert to bf16" +
                (device.blaslt().settled() ? "" : ", or try again"));
  }
  blaslt_.run(device, stream, call);
  ++context_.counters.route_hipblaslt;
}

// For good: there is no library, or none for this architecture. A handle that could not be created
// is an error that names its status, and the next call tries again (mlxcel 2198).
bool CheckedRouter::jit_in_place_of_rocblas(const Device& device) const {
  const bool never = !context_.provider.has_rocblas || !device.traits().rocblas_arch_supported();
  return never && jit_.available();
}

void CheckedRouter::gemm(Device& device, hipStream_t stream, const GemmCall& call) {
  if (call.shape.type == ElementType::f8) return through_hipblaslt_alone(device, stream, call);
  // Asked first for every GEMM, as the source has it (mlxcel 2200: every bf16 matmul passes
  // is_rocblas_available before it reaches hipBLASLt), so that a fallback has a handle.
  const bool rocblas = can_use_rocblas(device, stream);
  const bool jit = !rocblas && jit_in_place_of_rocblas(device);
  if (call.shape.type != ElementType::f32) {
    if (can_use_hipblaslt(device, stream)) {
      try {
        blaslt_.run(device, stream, call);
        ++context_.counters.route_hipblaslt;
        return;
      } catch (const Error& error) {
        if (!rocblas && !jit) throw;
        ++context_.counters.route_fallback;
        if (!fallback_told_.exchange(true)) {
          std::fprintf(stderr, "warning: %s takes a GEMM that hipBLASLt refused: %s\n",
                       rocblas ? "rocBLAS" : "a kernel of our own", error.what());
        }
      }
    } else {
      ++context_.counters.route_unavailable;
    }
  }
  if (jit) {
    return jit_.run(device, stream, call);
  }
  through_rocblas(device, stream, call);
}

}  // namespace hiplab::backend
