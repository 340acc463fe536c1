// The parts that a backend is put together from. Parts that can be written in more than one way
// are interfaces; a Parts chooses their classes, once, when the backend is built.
#pragma once

#include <memory>
#include <string>

#include "backend/algorithm_cache.h"
#include "backend/blaslt_handle.h"
#include "backend/capability_probe.h"
#include "backend/context.h"
#include "backend/device_map.h"
#include "backend/encoders.h"
#include "backend/event_pool.h"
#include "backend/gemm_router.h"
#include "backend/module_cache.h"
#include "backend/pipe_cache.h"
#include "backend/rocblas.h"
#include "backend/stream_tracker.h"
#include "backend/traits.h"
#include "backend/workspaces.h"

namespace hiplab::backend {

class Parts {
 public:
  virtual ~Parts() = default;

  // Of the backend.
  virtual std::unique_ptr<EventPool> event_pool(const Context& context) = 0;
  virtual std::unique_ptr<DeviceMap> device_map(const Context& context) = 0;
  virtual std::unique_ptr<PipeCache> pipe_cache(const Context& context) = 0;
  virtual std::unique_ptr<ModuleCache> module_cache(const Context& context) = 0;
  virtual std::unique_ptr<GemmRouter> router(const Context& context, PipeCache& pipes,
                                             ModuleCache& modules) = 0;

  // Of each device, in this order. References passed in outlive what is made with them.
  virtual std::unique_ptr<Traits> traits(const Context& context, int device,
                                         const std::string& arch) = 0;
  virtual std::unique_ptr<Rocblas> rocblas(const Context& context, int device,
                                           const std::string& arch) = 0;
  virtual std::unique_ptr<Workspaces> workspaces(const Context& context, int device) = 0;
  virtual std::unique_ptr<BlasLtHandle> blaslt(const Context& context, int device,
                                               Workspaces& workspaces) = 0;
  virtual std::unique_ptr<CapabilityProbe> capabilities(const Context& context, int device,
                                                        BlasLtHandle& handle) = 0;
  virtual std::unique_ptr<AlgorithmCache> algorithms() = 0;
  virtual std::unique_ptr<Encoders> encoders(const Context& context, int device,
                                             Workspaces& workspaces) = 0;
  virtual std::unique_ptr<StreamTracker> stream_tracker(const Context& context, Device& device) = 0;
};

// The thread-safe parts.
class FixedParts : public Parts {
 public:
  std::unique_ptr<EventPool> event_pool(const Context& context) override;
  std::unique_ptr<DeviceMap> device_map(const Context& context) override;
  // A map whose devices have those parts.
  static std::unique_ptr<DeviceMap> device_map_of(const Context& context, Parts& parts);
  std::unique_ptr<PipeCache> pipe_cache(const Context& context) override;
  std::unique_ptr<ModuleCache> module_cache(const Context& context) override;
  std::unique_ptr<GemmRouter> router(const Context& context, PipeCache& pipes,
                                     ModuleCache& modules) override;
  std::unique_ptr<Traits> traits(const Context& context, int device,
                                 const std::string& arch) override;
  std::unique_ptr<Rocblas> rocblas(const Context& context, int device,
                                   const std::string& arch) override;
  std::unique_ptr<Workspaces> workspaces(const Context& context, int device) override;
  std::unique_ptr<BlasLtHandle> blaslt(const Context& context, int device,
                                       Workspaces& workspaces) override;
  std::unique_ptr<CapabilityProbe> capabilities(const Context& context, int device,
                                                BlasLtHandle& handle) override;
  std::unique_ptr<AlgorithmCache> algorithms() override;
  std::unique_ptr<Encoders> encoders(const Context& context, int device,
                                     Workspaces& workspaces) override;
  std::unique_ptr<StreamTracker> stream_tracker(const Context& context, Device& device) override;
};

}  // namespace hiplab::backend
