#include "backend/capability_probe.h"

#include <cstdio>

#include "backend/heuristics.h"

namespace hiplab::backend {
namespace {

bool has_gemm(const Table& api, int device, hipblasLtHandle_t handle,
              const MatmulDescriptors& descriptors) {
  return !query_heuristics(api, device, handle, descriptors, 1).empty();
}

// fp8 (E4M3) inputs, bf16 output, TN: the form that the fp8 route uses. A library that does not
// know the type refuses already when the layout is made, and that is an answer as well.
bool has_fp8_gemm(const Table& api, int device, hipblasLtHandle_t handle) {
  MatmulDescriptors made =
      make_descriptors(api, device, GemmShape{ElementType::bf16, false, true, 64, 64, 64, 1});
  for (OwnedLayout* layout : {&made.first, &made.second}) {
    hipblasLtMatrixLayout_t raw = nullptr;
    if (!succeeded(api.hipblasLtMatrixLayoutCreate(&raw, HIP_R_8F_E4M3, 64, 64, 64))) return false;
    *layout = OwnedLayout(api, raw);
  }
  try {
    return has_gemm(api, device, handle, made);
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

Capabilities probe_capabilities(const Context& context, int device, hipblasLtHandle_t handle) {
  const Table& api = context.api();
  const auto has = [&](ElementType type) {
    return has_gemm(api, device, handle,
                    make_descriptors(api, device, GemmShape{type, false, true, 64, 64, 64, 1}));
  };
  return {has(ElementType::bf16), has(ElementType::f16), has_fp8_gemm(api, device, handle)};
}

void tell_capabilities(int device, const Capabilities& c) {
  std::fprintf(stderr, "[hipBLASLt caps] device %d: bf16 %d f16 %d fp8 %d\n", device, c.bf16, c.f16,
               c.fp8);
}

}  // namespace hiplab::backend
