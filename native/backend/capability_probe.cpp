#include "backend/capability_probe.h"

#include <cstdio>

#include "backend/heuristics.h"

namespace hiplab::backend {
namespace {

// Whether a library says that it does not know a type: older ones refuse f8 as an invalid value
// when the layout is made or the heuristic is asked. The other types all of them know, so that a
// refusal of those calls is a failure, after which the probe is tried again.
bool says_unsupported(ElementType type, const FailedCall& call) {
  if (type != ElementType::f8 || (call.function != "hipblasLtMatrixLayoutCreate" &&
                                  call.function != "hipblasLtMatmulAlgoGetHeuristic")) {
    return false;
  }
  switch (static_cast<hipblasStatus_t>(call.status)) {
    case HIPBLAS_STATUS_INVALID_VALUE:
    case HIPBLAS_STATUS_NOT_SUPPORTED:
    case HIPBLAS_STATUS_ARCH_MISMATCH:
    case HIPBLAS_STATUS_INVALID_ENUM:
      return true;
    default:
      return false;
  }
}

bool has_gemm(const Table& api, int device, hipblasLtHandle_t handle, ElementType type) {
  try {
    const MatmulDescriptors descriptors =
        make_descriptors(api, device, GemmShape{type, false, true, 64, 64, 64, 1});
    return !query_heuristics(api, device, handle, descriptors, 1).empty();
  } catch (const Error& error) {
    if (says_unsupported(type, error.call())) return false;
    throw;
  }
}

}  // namespace

Capabilities probe_capabilities(const Context& context, int device, hipblasLtHandle_t handle) {
  const auto has = [&](ElementType type) { return has_gemm(context.api(), device, handle, type); };
  return {has(ElementType::bf16), has(ElementType::f16), has(ElementType::f8)};
}

void tell_capabilities(const Context& context, int device, const Capabilities& c) {
  if (context.quiet) return;
  std::fprintf(stderr, "[hipBLASLt caps] device %d: bf16 %d f16 %d fp8 %d\n", device, c.bf16, c.f16,
               c.fp8);
}

}  // namespace hiplab::backend
