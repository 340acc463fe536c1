// f16 and bf16 take hipBLASLt, and rocBLAS when that cannot; f32 takes rocBLAS; f8 takes hipBLASLt
// or nothing. Every status is checked: a GEMM that was not enqueued is an exception, never an
// output left as it was.
#pragma once

#include <atomic>

#include "backend/blaslt_gemm.h"
#include "backend/gemm_router.h"

namespace hiplab::backend {

class CheckedRouter final : public GemmRouter {
 public:
  CheckedRouter(const Context& context, PipeCache& pipes)
      : context_(context), blaslt_(context, pipes) {}

  void gemm(Device& device, hipStream_t stream, const GemmCall& call) override;

 private:
  void through_hipblaslt_alone(Device& device, hipStream_t stream, const GemmCall& call);
  void through_rocblas(Device& device, hipStream_t stream, const GemmCall& call);

  const Context context_;
  BlasLtGemm blaslt_;
  std::atomic<bool> fallback_told_{false};
};

}  // namespace hiplab::backend
