#include "forms/shared_workspace.h"

#include "backend/device_guard.h"
#include "sync/point.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is one form of a backend part

SharedWorkspace::~SharedWorkspace() {
  if (pointer_ != nullptr) (void)context_.api().hipFree(pointer_);
}

void SharedWorkspace::allocate_at_init() {
  const DeviceGuard current(context_.api(), device_);
  HIPLAB_POINT("workspace.allocate.begin");
  if (context_.api().hipMalloc(&pointer_, kMaxWorkspaceBytes) == hipSuccess) {
    ++context_.counters.handles_workspaces;
    HIPLAB_POINT("workspace.init.pointer-set");
    bytes_ = kMaxWorkspaceBytes;
  } else {
    pointer_ = nullptr;
    bytes_ = 0;
  }
  HIPLAB_POINT("workspace.allocate.end");
}

Workspace SharedWorkspace::acquire(hipStream_t, std::size_t required) {
  if (required == 0) return {};
  if (pointer_ != nullptr && bytes_ >= required) return {pointer_, bytes_};
  HIPLAB_POINT("workspace.grow.begin");
  const DeviceGuard current(context_.api(), device_);
  if (pointer_ != nullptr) {
    (void)context_.api().hipFree(pointer_);  // another stream's queued GEMM may still use it
    pointer_ = nullptr;
    bytes_ = 0;
  }
  if (context_.api().hipMalloc(&pointer_, required) != hipSuccess) {
    pointer_ = nullptr;
    bytes_ = 0;
    return {};
  }
  ++context_.counters.handles_workspaces;
  HIPLAB_POINT("workspace.grow.pointer-set");
  bytes_ = required;
  HIPLAB_POINT("workspace.grow.size-set");
  return {pointer_, bytes_};
}

}  // namespace hiplab::forms
