// PER_THREAD form of the hipBLASLt handle, as upstream MLX keeps its cuBLASLt handles: one for each
// thread and device. Rejected by mlxcel 2200: cached heuristic results of one handle would be used
// with another, and the asynchronous MoE path would create handles inside a host callback.
#pragma once

#include "backend/blaslt_handle.h"
#include "backend/context.h"
#include "backend/owned.h"
#include "backend/per_thread.h"

namespace hiplab::forms {

// Thread-safe without a lock: nothing is shared.
class ThreadBlasLtHandle final : public backend::BlasLtHandle {
 public:
  ThreadBlasLtHandle(const backend::Context& context, int device)
      : context_(context), device_(device) {}

  // Whether the library is there; creates nothing.
  bool available() override { return context_.provider.has_hipblaslt; }
  bool settled() const override { return true; }  // creates whenever a thread comes

  // The calling thread's own, created on its first call; throws, naming the status, when that
  // fails. The next call tries again.
  backend::hipblasLtHandle_t get() override;

 private:
  const backend::Context context_;
  const int device_;
  backend::PerThread<backend::OwnedBlasLt> handles_{"thread hipBLASLt handles"};
};

}  // namespace hiplab::forms
