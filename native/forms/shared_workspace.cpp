#include "forms/shared_workspace.h"

#include "backend/device_guard.h"
#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is one form of a backend part

SharedWorkspace::~SharedWorkspace() {
  if (pointer_ != nullptr) (void)context_.api().hipFree(pointer_);
}

void SharedWorkspace::allocate_at_init() {
  const DeviceGuard current(context_.api(), device_);
  HIPLAB_POINT("workspace.create.begin");
  HIPLAB_WRITE(&pointer_, "workspace.pointer");
  if (context_.api().hipMalloc(&pointer_, kMaxWorkspaceBytes) == hipSuccess) {
    ++context_.counters.handles_workspaces;
    HIPLAB_POINT("workspace.init.pointer-set");
    HIPLAB_WRITE(&bytes_, "workspace.bytes");
    bytes_ = kMaxWorkspaceBytes;
  } else {
    pointer_ = nullptr;
    HIPLAB_WRITE(&bytes_, "workspace.bytes");
    bytes_ = 0;
  }
  HIPLAB_POINT("workspace.create.end");
}

WorkspaceLease SharedWorkspace::acquire(hipStream_t, std::size_t required) {
  if (required == 0) return {};
  HIPLAB_READ(&pointer_, "workspace.pointer");
  HIPLAB_READ(&bytes_, "workspace.bytes");
  if (pointer_ == nullptr || bytes_ < required) {
    HIPLAB_POINT("workspace.grow.begin");
    const DeviceGuard current(context_.api(), device_);
    if (pointer_ != nullptr) {
      HIPLAB_POINT("workspace.grow.free");
      (void)context_.api().hipFree(pointer_);
      HIPLAB_WRITE(&pointer_, "workspace.pointer");
      pointer_ = nullptr;
      HIPLAB_WRITE(&bytes_, "workspace.bytes");
      bytes_ = 0;
    }
    HIPLAB_POINT("workspace.create.begin");
    HIPLAB_WRITE(&pointer_, "workspace.pointer");
    if (context_.api().hipMalloc(&pointer_, required) != hipSuccess) {
      pointer_ = nullptr;
      HIPLAB_WRITE(&bytes_, "workspace.bytes");
      bytes_ = 0;
      return {};
    }
    ++context_.counters.handles_workspaces;
    HIPLAB_POINT("workspace.grow.pointer-set");
    HIPLAB_WRITE(&bytes_, "workspace.bytes");
    bytes_ = required;
    HIPLAB_POINT("workspace.grow.size-set");
    HIPLAB_POINT("workspace.create.end");
  }
  HIPLAB_READ(&pointer_, "workspace.pointer");
  HIPLAB_READ(&bytes_, "workspace.bytes");
  return WorkspaceLease({pointer_, bytes_});
}

}  // namespace hiplab::forms
