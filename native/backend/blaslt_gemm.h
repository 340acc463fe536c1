// A GEMM through hipBLASLt: capabilities, pipe, workspace, matmul.
#pragma once

#include <memory>
#include <optional>

#include "backend/device.h"
#include "backend/gemm_call.h"
#include "backend/pipe_cache.h"

namespace hiplab::backend {

// As thread-safe as the parts it is given.
class BlasLtGemm {
 public:
  // `pipes` must outlive this object.
  BlasLtGemm(const Context& context, PipeCache& pipes) : context_(context), pipes_(pipes) {}

  // Enqueues on the stream. Throws when hipBLASLt is not available, has no GEMM for the type or
  // shape, when the workspace cannot be had, and when every candidate fails.
  void run(Device& device, hipStream_t stream, const GemmCall& call);

 private:
  // Where a GEMM goes.
  struct Target {
    Device& device;
    hipblasLtHandle_t handle;
    hipStream_t stream;
    const GemmCall& call;
  };

  std::unique_ptr<Pipe> make_pipe(const Target& target);
  // No value when the workspace could not be allocated; then nothing has been called.
  std::optional<hipblasStatus_t> matmul(const Target& target, const MatmulDescriptors& descriptors,
                                        const Algorithm& algorithm);
  hipblasStatus_t retry(const Target& target, const MatmulDescriptors& descriptors,
                        Algorithm& of_pipe, hipblasStatus_t first_failure);

  const Context context_;
  PipeCache& pipes_;
};

}  // namespace hiplab::backend
