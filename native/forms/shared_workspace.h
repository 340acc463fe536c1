// FILED form of the workspace (mlxcel 2200): one buffer per device for all streams, grown without a
// lock.
#pragma once

#include "backend/workspaces.h"

namespace hiplab::forms {

// Not safe for two streams: that is the finding. The fields are plain on purpose, as filed.
class SharedWorkspace final : public backend::Workspaces {
 public:
  SharedWorkspace(const backend::Context& context, int device)
      : context_(context), device_(device) {}
  ~SharedWorkspace() override;

  // Nothing looks at the capture: as filed, hipMalloc is called on a capturing stream and ends the
  // capture.
  //
  // Growth frees the buffer of whoever is between acquire and the call. A GEMM that is queued
  // already is done first, for hipFree waits for the device (HIP documentation): it costs every
  // stream's time, and only a call that comes after the free uses freed memory.
  backend::WorkspaceLease acquire(backend::hipStream_t stream, std::size_t required) override;
  void release(backend::hipStream_t) override {}

  // The allocation that the filed init makes after it has said that hipBLASLt is available. With a
  // growth in its middle (pointer here, pointer there, size there, size here) the record says
  // 32 MiB of a small buffer; in other orders one of the two leaks.
  void allocate_at_init();

 private:
  const backend::Context context_;
  const int device_;
  void* pointer_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace hiplab::forms
