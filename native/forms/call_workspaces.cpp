#include "forms/call_workspaces.h"

#include <memory>

#include "backend/device_guard.h"
#include "sync/point.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is one form of a backend part

namespace {

constexpr std::size_t kRounding = 256;

class FreeInStreamOrder final : public WorkspaceLease::AfterCall {
 public:
  FreeInStreamOrder(const Table& api, void* pointer, hipStream_t stream)
      : api_(api), pointer_(pointer), stream_(stream) {}
  ~FreeInStreamOrder() override {
    // hipFree instead waits for the device: slow, but neither too early nor a leak.
    if (!succeeded(api_.hipFreeAsync(pointer_, stream_))) (void)api_.hipFree(pointer_);
  }

 private:
  const Table& api_;
  void* const pointer_;
  const hipStream_t stream_;
};

}  // namespace

WorkspaceLease CallWorkspaces::acquire(hipStream_t stream, std::size_t required) {
  if (required == 0) return {};
  check_workspace_bytes(required);
  const Table& api = context_.api();
  check_not_capturing(context_, {device_, stream}, required);
  HIPLAB_POINT("workspace.create.begin");
  const std::size_t bytes = (required + kRounding - 1) / kRounding * kRounding;
  const DeviceGuard current(api, device_);
  void* pointer = nullptr;
  if (!succeeded(api.hipMallocAsync(&pointer, bytes, stream))) return {};
  auto free = std::make_unique<FreeInStreamOrder>(api, pointer, stream);
  ++context_.counters.handles_workspaces;
  HIPLAB_POINT("workspace.create.end");
  return WorkspaceLease({pointer, bytes}, std::move(free));
}

}  // namespace hiplab::forms
