#include "forms/leased_workspace.h"

#include <cstdio>
#include <mutex>
#include <utility>

#include "backend/device_guard.h"
#include "sync/access.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is three forms of a backend part

class LeasedWorkspace::Lease final : public WorkspaceLease::AfterCall {
 public:
  Lease(std::unique_lock<sync::Mutex> lock, LeasedWorkspace& owner, hipStream_t stream)
      : lock_(std::move(lock)), owner_(owner), stream_(stream) {}
  ~Lease() override { owner_.after(stream_); }  // then the lock

 private:
  const std::unique_lock<sync::Mutex> lock_;
  LeasedWorkspace& owner_;
  const hipStream_t stream_;
};

WorkspaceLease LeasedWorkspace::acquire(hipStream_t stream, std::size_t required) {
  if (required == 0) return {};
  check_workspace_bytes(required);
  std::unique_lock lock(mutex_);
  HIPLAB_READ(&buffer_, "workspace.buffer");
  if (!buffer_) {
    OwnedMemory made = allocate_workspace(context_, {device_, stream}, required);
    if (!made) return {};
    HIPLAB_WRITE(&buffer_, "workspace.buffer");
    buffer_ = std::move(made);
  }
  before(stream);
  return WorkspaceLease({buffer_.get(), kMaxWorkspaceBytes},
                        std::make_unique<Lease>(std::move(lock), *this, stream));
}

void SyncLeasedWorkspace::after(hipStream_t stream) noexcept {
  const Table& api = context_.api();
  if (const hipError_t status = api.hipStreamSynchronize(stream); status != hipSuccess) {
    // The call has been made, so there is nobody to throw to; a capture that this ended says so at
    // its end, a lost device at the next call.
    std::fprintf(stderr,
                 "warning: hipStreamSynchronize in the workspace's lease on device %d: %s\n",
                 device_, status_name(api, status).c_str());
  }
}

void HandedOffWorkspace::before(hipStream_t stream) {
  const Table& api = context_.api();
  const Where where{device_, stream};
  HIPLAB_READ(&last_use_, "workspace.last-use");
  if (last_use_) {
    // Also when the last user was this stream's handle: its value may have been reused.
    HIPLAB_CHECK(api, where, hipStreamWaitEvent, stream, last_use_.get(), 0);
    return;
  }
  const DeviceGuard current(api, device_);
  hipEvent_t event = nullptr;
  HIPLAB_CHECK(api, where, hipEventCreateWithFlags, &event, hipEventDisableTiming);
  HIPLAB_WRITE(&last_use_, "workspace.last-use");
  last_use_ = OwnedEvent(api, event);
}

void HandedOffWorkspace::after(hipStream_t stream) noexcept {
  const Table& api = context_.api();
  // Without a record the next user would have nothing to wait for, so the host waits instead; when
  // that fails too the device is lost.
  if (!succeeded(api.hipEventRecord(last_use_.get(), stream))) (void)api.hipDeviceSynchronize();
}

}  // namespace hiplab::forms
