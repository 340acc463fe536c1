#include "backend/stream_workspaces.h"

#include <mutex>
#include <string>
#include <utility>

#include "backend/capture_guard.h"
#include "backend/capture_status.h"
#include "sync/access.h"

namespace hiplab::backend {

WorkspaceLease StreamWorkspaces::acquire(hipStream_t stream, std::size_t required) {
  if (required == 0) return {};
  check_workspace_bytes(required);
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&buffers_, "workspace.buffers");
  if (const auto found = buffers_.find(stream); found != buffers_.end()) {
    if (const auto capture = captured_.find(stream); capture != captured_.end()) {
      capture->second.used = true;
    } else if (open_captures_ > 0) {
      refuse_joined(stream, required);
    }
    return WorkspaceLease({found->second.get(), kMaxWorkspaceBytes});
  }
  OwnedMemory buffer = allocate_workspace(context_, {device_, stream}, required);
  if (!buffer) return {};
  void* pointer = buffer.get();
  HIPLAB_WRITE(&buffers_, "workspace.buffers");
  buffers_.emplace(stream, std::move(buffer));
  return WorkspaceLease({pointer, kMaxWorkspaceBytes});
}

void StreamWorkspaces::refuse_joined(hipStream_t stream, std::size_t required) const {
  if (!capturing(context_.api(), {device_, stream})) return;
  throw Error("hipBLASLt: algorithm needs " + std::to_string(required) +
              " bytes of workspace on a stream that has joined the capture of another one: enqueue "
              "it on the stream on which the capture began");
}

OwnedMemory StreamWorkspaces::take(hipStream_t stream) {
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&buffers_, "workspace.buffers");
  const auto found = buffers_.find(stream);
  if (found == buffers_.end() || captured_.contains(stream)) return {};
  OwnedMemory buffer = std::move(found->second);
  HIPLAB_WRITE(&buffers_, "workspace.buffers");
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

void StreamWorkspaces::capture_begins(hipStream_t stream) {
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&buffers_, "workspace.buffers");
  const auto found = buffers_.find(stream);
  if (found == buffers_.end()) {
    ++open_captures_;
    return;
  }
  OwnedMemory buffer;
  if (!spares_.empty()) {
    buffer = std::move(spares_.back());
    spares_.pop_back();
  } else {
    const RelaxedCapture relaxed(context_.api());  // another thread may be capturing
    buffer = allocate_workspace(context_, {device_, stream}, kMaxWorkspaceBytes);
  }
  if (!buffer) {
    throw Error("hipBLASLt: failed to allocate workspace of " + std::to_string(kMaxWorkspaceBytes) +
                " bytes for a graph");
  }
  HIPLAB_WRITE(&buffers_, "workspace.buffers");
  captured_[stream].streams_own = std::exchange(found->second, std::move(buffer));
  ++open_captures_;
}

std::shared_ptr<void> StreamWorkspaces::capture_ended(hipStream_t stream, bool graph) {
  const std::lock_guard lock(mutex_);
  --open_captures_;
  auto capture = captured_.extract(stream);
  const auto found = buffers_.find(stream);
  if (capture.empty() || found == buffers_.end()) return nullptr;
  HIPLAB_WRITE(&buffers_, "workspace.buffers");
  OwnedMemory buffer = std::exchange(found->second, std::move(capture.mapped().streams_own));
  if (!graph || !capture.mapped().used) {
    spares_.push_back(std::move(buffer));
    return nullptr;
  }
  // The last launch may still run, and another thread may be capturing: hipFree waits for the one
  // and must not end the other.
  const Table& api = context_.api();
  return {buffer.release(), [&api](void* memory) {
            const RelaxedCapture relaxed(api);
            (void)api.hipFree(memory);
          }};
}

}  // namespace hiplab::backend
