#include "backend/workspaces.h"

#include <string>

#include "backend/capture_status.h"
#include "backend/device_guard.h"
#include "sync/point.h"

namespace hiplab::backend {

void check_workspace_bytes(std::size_t required) {
  if (required <= kMaxWorkspaceBytes) return;
  throw Error("hipBLASLt: algorithm needs " + std::to_string(required) +
              " bytes of workspace, at most " + std::to_string(kMaxWorkspaceBytes) +
              " are allowed: ask the heuristic with that cap");
}

void check_not_capturing(const Context& context, const Where& where, std::size_t required) {
  if (!capturing(context.api(), where)) return;
  throw Error("hipBLASLt: algorithm needs " + std::to_string(required) +
              " bytes of workspace on a capturing stream with none allocated");
}

OwnedMemory allocate_workspace(const Context& context, const Where& where, std::size_t required) {
  check_not_capturing(context, where, required);
  HIPLAB_POINT("workspace.create.begin");
  const DeviceGuard current(context.api(), where.device);
  void* pointer = nullptr;
  if (context.api().hipMalloc(&pointer, kMaxWorkspaceBytes) != hipSuccess) return {};
  OwnedMemory buffer(context.api(), pointer);
  ++context.counters.handles_workspaces;
  HIPLAB_POINT("workspace.create.end");
  return buffer;
}

}  // namespace hiplab::backend
