// Decides which library takes a GEMM.
#pragma once

#include "backend/device.h"
#include "backend/gemm_call.h"

namespace hiplab::backend {

// Thread-safe unless the form says otherwise.
class GemmRouter {
 public:
  virtual ~GemmRouter() = default;

  // Enqueues on the stream of that device.
  virtual void gemm(Device& device, hipStream_t stream, const GemmCall& call) = 0;
};

// The GEMM through a bound rocBLAS handle; returns its status.
rocblas_status rocblas_gemm(const Table& api, rocblas_handle handle, const GemmCall& call);

}  // namespace hiplab::backend
