#include "backend/stream_workspaces.h"

#include <mutex>
#include <string>
#include <utility>

#include "backend/device_guard.h"
#include "sync/point.h"

namespace hiplab::backend {

Workspace StreamWorkspaces::acquire(hipStream_t stream, std::size_t required) {
  if (required == 0) return {};
  const Table& api = context_.api();
  const Where where{device_, stream};
  if (required > kMaxWorkspaceBytes) {
    throw Error("hipBLASLt: algorithm needs " + std::to_string(required) +
                " bytes of workspace, at most " + std::to_string(kMaxWorkspaceBytes) +
                " are allowed: ask the heuristic with that cap");
  }
  const std::lock_guard lock(mutex_);
  if (const auto found = buffers_.find(stream); found != buffers_.end()) {
    return {found->second.get(), kMaxWorkspaceBytes};
  }
  hipStreamCaptureStatus capture = hipStreamCaptureStatusNone;
  HIPLAB_CHECK(api, where, hipStreamGetCaptureInfo, stream, &capture, nullptr);
  if (capture != hipStreamCaptureStatusNone) {
    throw Error("hipBLASLt: algorithm needs " + std::to_string(required) +
                " bytes of workspace on a capturing stream with none allocated");
  }
  HIPLAB_POINT("workspace.allocate.begin");
  const DeviceGuard current(api, device_);
  void* pointer = nullptr;
  if (api.hipMalloc(&pointer, kMaxWorkspaceBytes) != hipSuccess) return {};
  OwnedMemory buffer(api, pointer);
  buffers_.emplace(stream, std::move(buffer));
  ++context_.counters.handles_workspaces;
  HIPLAB_POINT("workspace.allocate.end");
  return {pointer, kMaxWorkspaceBytes};
}

OwnedMemory StreamWorkspaces::take(hipStream_t stream) {
  const std::lock_guard lock(mutex_);
  const auto found = buffers_.find(stream);
  if (found == buffers_.end()) return {};
  OwnedMemory buffer = std::move(found->second);
  buffers_.erase(found);
  return buffer;
}

void StreamWorkspaces::release(hipStream_t stream) {
  const OwnedMemory buffer = take(stream);
  if (!buffer) return;
  // Outside the lock: waiting for one stream must not hold up another one's GEMM. When waiting
  // fails the device is lost, and freeing is all that is left.
  (void)context_.api().hipStreamSynchronize(stream);
}

}  // namespace hiplab::backend
