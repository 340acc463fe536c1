// f16 and bf16 take hipBLASLt, and rocBLAS when that cannot; f32 takes rocBLAS; f8 takes hipBLASLt
// or nothing. Where rocBLAS can never be had, a kernel of our own takes its place. Every status is
// checked: a GEMM that was not enqueued is an exception, never an output left as it was.
#pragma once

#include <atomic>

#include "backend/blaslt_gemm.h"
#include "backend/gemm_router.h"
#include "backend/jit_gemm.h"

namespace hiplab::backend {

class CheckedRouter final : public GemmRouter {
 public:
  CheckedRouter(const Context& context, PipeCache& pipes, ModuleCache& modules)
      : context_(context), blaslt_(context, pipes), jit_(context, modules) {}

  void gemm(Device& device, hipStream_t stream, const GemmCall& call) override;

 private:
  bool can_use_rocblas(Device& device, hipStream_t stream) const;
  bool can_use_hipblaslt(Device& device, hipStream_t stream) const;
  void through_hipblaslt_alone(Device& device, hipStream_t stream, const GemmCall& call);
  bool jit_in_place_of_rocblas(const Device& device) const;
  void through_rocblas(Device& device, hipStream_t stream, const GemmCall& call);

  const Context context_;
  BlasLtGemm blaslt_;
  JitGemm jit_;
  std::atomic<bool> fallback_told_{false};
};

}  // namespace hiplab::backend
