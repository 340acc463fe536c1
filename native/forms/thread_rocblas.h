// PER_THREAD form of the rocBLAS handle, as upstream MLX keeps its cuBLASLt handles: one for each
// thread and device. Rejected by mlxcel 2198: right, but a handle and its device workspace for each
// worker thread, created on that thread's first GEMM, wherever that is.
#pragma once

#include <string>

#include "backend/context.h"
#include "backend/owned.h"
#include "backend/per_thread.h"
#include "backend/rocblas.h"

namespace hiplab::forms {

// Thread-safe without a lock around the call: nothing is shared.
class ThreadRocblas final : public backend::Rocblas {
 public:
  ThreadRocblas(const backend::Context& context, int device, const std::string& arch);

  // Says what the architecture allows; creates nothing.
  bool available() override { return supported_; }
  bool settled() const override { return true; }  // creates whenever a thread comes

  // Creates the calling thread's handle when it has none; throws, naming the status, when that or
  // binding the stream fails. The next call tries again.
  backend::rocblas_status with_handle(backend::hipStream_t stream,
                                      const backend::RocblasCall& call) override;
  void forget(backend::hipStream_t) override {}  // every call binds its stream

 private:
  backend::rocblas_handle own_handle();

  const backend::Context context_;
  const int device_;
  const bool supported_;
  backend::PerThread<backend::OwnedRocblas> handles_{"thread rocBLAS handles"};
};

}  // namespace hiplab::forms
