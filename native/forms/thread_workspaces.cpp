#include "forms/thread_workspaces.h"

#include "sync/access.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is one form of a backend part

WorkspaceLease ThreadWorkspaces::acquire(hipStream_t stream, std::size_t required) {
  if (required == 0) return {};
  check_workspace_bytes(required);
  OwnedMemory& buffer = buffers_.mine();
  HIPLAB_READ(&buffer, "workspace.buffer");
  if (!buffer) {
    OwnedMemory made = allocate_workspace(context_, {device_, stream}, required);
    if (!made) return {};
    HIPLAB_WRITE(&buffer, "workspace.buffer");
    buffer = std::move(made);
  }
  return WorkspaceLease({buffer.get(), kMaxWorkspaceBytes});
}

}  // namespace hiplab::forms
