// THREAD_OWNED form of the workspace, which mlxcel 2200 rejected: a buffer per thread. It breaks
// when one thread serves several streams, as the host-callback thread does.
#pragma once

#include "backend/per_thread.h"
#include "backend/workspaces.h"

namespace hiplab::forms {

// Safe for a thread that keeps to one stream, and for no other: that is the finding.
class ThreadWorkspaces final : public backend::Workspaces {
 public:
  ThreadWorkspaces(const backend::Context& context, int device)
      : context_(context), device_(device) {}

  backend::WorkspaceLease acquire(backend::hipStream_t stream, std::size_t required) override;
  void release(backend::hipStream_t) override {}  // the buffer is the thread's

 private:
  const backend::Context context_;
  const int device_;
  backend::PerThread<backend::OwnedMemory> buffers_{"thread workspaces"};
};

}  // namespace hiplab::forms
