// FILED form of the workspace (mlxcel 2200): one buffer per device for all streams, grown without a
// lock.
#pragma once

#include "backend/context.h"
#include "backend/workspaces.h"

namespace hiplab::forms {

// Not safe for two streams: that is the finding. The fields are plain on purpose, as filed.
class SharedWorkspace final : public backend::Workspaces {
 public:
  SharedWorkspace(const backend::Context& context, int device)
      : context_(context), device_(device) {}
  ~SharedWorkspace() override;

  backend::Workspace acquire(backend::hipStream_t stream, std::size_t required) override;
  void release(backend::hipStream_t) override {}

  // The allocation that the filed init makes after it has said that hipBLASLt is available.
  void allocate_at_init();

 private:
  const backend::Context context_;
  const int device_;
  void* pointer_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace hiplab::forms
