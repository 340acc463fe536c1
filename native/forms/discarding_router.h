// FILED form of the router (mlxcel 2198, 2200): the routes are the same, but the status of a
// rocBLAS GEMM is discarded, so one that was refused leaves the output as it was.
#pragma once

#include "backend/blaslt_gemm.h"
#include "backend/gemm_router.h"

namespace hiplab::forms {

class DiscardingRouter final : public backend::GemmRouter {
 public:
  DiscardingRouter(const backend::Context& context, backend::PipeCache& pipes)
      : context_(context), blaslt_(context, pipes) {}

  void gemm(backend::Device& device, backend::hipStream_t stream,
            const backend::GemmCall& call) override;

 private:
  const backend::Context context_;
  backend::BlasLtGemm blaslt_;
};

}  // namespace hiplab::forms
