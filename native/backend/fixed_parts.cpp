#include "backend/callback_tracker.h"
#include "backend/checked_router.h"
#include "backend/known_traits.h"
#include "backend/locked_device_map.h"
#include "backend/locked_event_pool.h"
#include "backend/module_cache_locked.h"
#include "backend/once_blaslt_handle.h"
#include "backend/once_capability_probe.h"
#include "backend/parts.h"
#include "backend/rocblas_lease.h"
#include "backend/stream_workspaces.h"
#include "backend/swapping_encoders.h"
#include "backend/thread_pipe_cache.h"

namespace hiplab::backend {

std::unique_ptr<EventPool> FixedParts::event_pool(const Context& context) {
  return std::make_unique<LockedEventPool>(context);
}

std::unique_ptr<DeviceMap> FixedParts::device_map_of(const Context& context, Parts& parts) {
  return std::make_unique<LockedDeviceMap>(context, parts);
}

std::unique_ptr<DeviceMap> FixedParts::device_map(const Context& context) {
  return device_map_of(context, *this);
}

std::unique_ptr<PipeCache> FixedParts::pipe_cache(const Context&) {
  return std::make_unique<ThreadPipeCache>();
}

std::unique_ptr<ModuleCache> FixedParts::module_cache(const Context& context) {
  return std::make_unique<LockedModuleCache>(context);
}

std::unique_ptr<GemmRouter> FixedParts::router(const Context& context, PipeCache& pipes,
                                               ModuleCache& modules) {
  return std::make_unique<CheckedRouter>(context, pipes, modules);
}

std::unique_ptr<Traits> FixedParts::traits(const Context&, int, const std::string& arch) {
  return std::make_unique<KnownTraits>(arch);
}

std::unique_ptr<Rocblas> FixedParts::rocblas(const Context& context, int device,
                                             const std::string& arch) {
  return std::make_unique<LeasedRocblas>(context, device, arch);
}

std::unique_ptr<Workspaces> FixedParts::workspaces(const Context& context, int device) {
  return std::make_unique<StreamWorkspaces>(context, device);
}

std::unique_ptr<BlasLtHandle> FixedParts::blaslt(const Context& context, int device, Workspaces&) {
  return std::make_unique<OnceBlasLtHandle>(context, device);
}

std::unique_ptr<CapabilityProbe> FixedParts::capabilities(const Context& context, int device,
                                                          BlasLtHandle& handle) {
  return std::make_unique<OnceCapabilityProbe>(context, device, handle);
}

std::unique_ptr<AlgorithmCache> FixedParts::algorithms() {
  return std::make_unique<RefreshingAlgorithmCache>();
}

std::unique_ptr<Encoders> FixedParts::encoders(const Context& context, int device,
                                               Workspaces& workspaces) {
  return std::make_unique<SwappingEncoders>(context, device, workspaces);
}

std::unique_ptr<StreamTracker> FixedParts::stream_tracker(const Context& context, Device& device) {
  return std::make_unique<CallbackTracker>(context, device);
}

}  // namespace hiplab::backend
