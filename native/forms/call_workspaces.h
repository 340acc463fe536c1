// PER_CALL form of the workspace, as upstream MLX has it: each call allocates what it needs in
// stream order and frees it in stream order behind the kernel.
#pragma once

#include "backend/workspaces.h"

namespace hiplab::forms {

// Right: two calls share a block only when one stream's free comes before the other's allocation.
// Refuses a capturing stream, which upstream MLX asserts not to be given.
class CallWorkspaces final : public backend::Workspaces {
 public:
  CallWorkspaces(const backend::Context& context, int device)
      : context_(context), device_(device) {}

  // Exactly what is required, rounded up to 256 bytes as upstream MLX does.
  backend::WorkspaceLease acquire(backend::hipStream_t stream, std::size_t required) override;
  void release(backend::hipStream_t) override {}

 private:
  const backend::Context context_;
  const int device_;
};

}  // namespace hiplab::forms
