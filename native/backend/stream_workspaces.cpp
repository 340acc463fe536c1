#include "backend/stream_workspaces.h"

#include <mutex>
#include <utility>

#include "sync/access.h"

namespace hiplab::backend {

WorkspaceLease StreamWorkspaces::acquire(hipStream_t stream, std::size_t required) {
  if (required == 0) return {};
  check_workspace_bytes(required);
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&buffers_, "workspace.buffers");
  if (const auto found = buffers_.find(stream); found != buffers_.end()) {
    return WorkspaceLease({found->second.get(), kMaxWorkspaceBytes});
  }
  OwnedMemory buffer = allocate_workspace(context_, {device_, stream}, required);
  if (!buffer) return {};
  void* pointer = buffer.get();
  HIPLAB_WRITE(&buffers_, "workspace.buffers");
  buffers_.emplace(stream, std::move(buffer));
  return WorkspaceLease({pointer, kMaxWorkspaceBytes});
}

void StreamWorkspaces::release(hipStream_t stream) {
  OwnedMemory buffer;
  {
    const std::lock_guard lock(mutex_);
    HIPLAB_READ(&buffers_, "workspace.buffers");
    const auto found = buffers_.find(stream);
    if (found == buffers_.end()) return;
    buffer = std::move(found->second);
    HIPLAB_WRITE(&buffers_, "workspace.buffers");
    buffers_.erase(found);
  }
  // Outside the lock: waiting for one stream must not hold up another one's GEMM. When waiting
  // fails the device is lost, and freeing is all that is left.
  (void)context_.api().hipStreamSynchronize(stream);
}

}  // namespace hiplab::backend
