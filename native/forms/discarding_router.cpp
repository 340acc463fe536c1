#include "forms/discarding_router.h"

#include <string>

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is one form of a backend part

void DiscardingRouter::gemm(Device& device, hipStream_t stream, const GemmCall& call) {
  if (!device.rocblas().available()) {
    throw Error("rocBLAS is not available on device " + std::to_string(device.index()));
  }
  if (call.shape.type != ElementType::f32) {
    if (device.blaslt().available()) {
      try {
        blaslt_.run(device, stream, call);
        ++context_.counters.route_hipblaslt;
        return;
      } catch (const Error&) {
        ++context_.counters.route_fallback;
      }
    } else {
      ++context_.counters.route_unavailable;
    }
  }
  (void)device.rocblas().with_handle(
      stream, [&](rocblas_handle handle) { return rocblas_gemm(context_.api(), handle, call); });
  ++context_.counters.route_rocblas;
}

}  // namespace hiplab::forms
