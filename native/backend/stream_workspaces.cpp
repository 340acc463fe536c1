#include "backend/stream_workspaces.h"

#include <mutex>
#include <string>
#include <utility>

#include "backend/capture_guard.h"
#include "backend/capture_status.h"
#include "sync/access.h"

namespace hiplab::backend {

// The stream is another thread's again when it dies.
class StreamWorkspaces::Lease final : public WorkspaceLease::AfterCall {
 public:
  explicit Lease(std::shared_ptr<Enqueuing> enqueuing)
      : enqueuing_(std::move(enqueuing)), lock_(enqueuing_->mutex) {}
  ~Lease() override { enqueuing_->leased.store(false, std::memory_order_release); }

  // Under the workspaces' lock: nobody takes the buffer from now on.
  void begin() { enqueuing_->leased.store(true, std::memory_order_relaxed); }

 private:
  const std::shared_ptr<Enqueuing> enqueuing_;
  const std::lock_guard<sync::Mutex> lock_;
};

std::shared_ptr<StreamWorkspaces::Enqueuing> StreamWorkspaces::enqueuing(hipStream_t stream) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Enqueuing>& enqueuing = enqueuing_[stream];
  if (enqueuing == nullptr) enqueuing = std::make_shared<Enqueuing>();
  return enqueuing;
}

WorkspaceLease StreamWorkspaces::acquire(hipStream_t stream, std::size_t required) {
  if (required == 0) return {};
  check_workspace_bytes(required);
  auto lease = std::make_unique<Lease>(enqueuing(stream));
  const std::lock_guard lock(mutex_);
  lease->begin();
  HIPLAB_READ(&buffers_, "workspace.buffers");
  if (const auto found = buffers_.find(stream); found != buffers_.end()) {
    if (const auto capture = captured_.find(stream); capture != captured_.end()) {
      capture->second.used = true;
    } else if (!open_captures_.empty()) {
      refuse_joined(stream, required);
    }
    return WorkspaceLease({found->second.get(), kMaxWorkspaceBytes}, std::move(lease));
  }
  OwnedMemory buffer = allocate_workspace(context_, {device_, stream}, required);
  if (!buffer) return {};
  void* pointer = buffer.get();
  HIPLAB_WRITE(&buffers_, "workspace.buffers");
  buffers_.emplace(stream, std::move(buffer));
  return WorkspaceLease({pointer, kMaxWorkspaceBytes}, std::move(lease));
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
  const auto enqueuing = enqueuing_.find(stream);
  if (enqueuing != enqueuing_.end() && enqueuing->second->leased.load(std::memory_order_acquire)) {
    return {};
  }
  OwnedMemory buffer = std::move(found->second);
  HIPLAB_WRITE(&buffers_, "workspace.buffers");
  buffers_.erase(found);
  return buffer;
}

void StreamWorkspaces::release(hipStream_t stream) {
  OwnedMemory captured;
  {
    const std::lock_guard lock(mutex_);
    enqueuing_.erase(stream);
    open_captures_.erase(stream);
    // Closed while it captured: what it had before the capture goes, too.
    if (auto capture = captured_.extract(stream))
      captured = std::move(capture.mapped().streams_own);
  }
  OwnedMemory buffer = take(stream);
  if (!buffer) return;
  // Outside the lock: waiting for one stream must not hold up another one's GEMM. When waiting
  // fails the device is lost, or the stream captures; freeing waits for the device.
  const RelaxedCapture relaxed(context_.api());
  (void)context_.api().hipStreamSynchronize(stream);
  buffer = {};
  captured = {};
}

void StreamWorkspaces::trim() {
  std::vector<OwnedMemory> spares;
  {
    const std::lock_guard lock(mutex_);
    spares.swap(spares_);
  }
  const RelaxedCapture relaxed(context_.api());  // another thread may be capturing
  spares.clear();
}

void StreamWorkspaces::capture_begins(hipStream_t stream) {
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&buffers_, "workspace.buffers");
  const auto found = buffers_.find(stream);
  if (found == buffers_.end()) {
    open_captures_.insert(stream);
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
  open_captures_.insert(stream);
}

std::shared_ptr<void> StreamWorkspaces::capture_ended(hipStream_t stream, bool graph) {
  const std::lock_guard lock(mutex_);
  open_captures_.erase(stream);
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
