// One device and the parts that belong to it.
#pragma once

#include <memory>
#include <string>

#include "backend/algorithm_cache.h"
#include "backend/blaslt_handle.h"
#include "backend/capability_probe.h"
#include "backend/context.h"
#include "backend/encoders.h"
#include "backend/rocblas.h"
#include "backend/stream_tracker.h"
#include "backend/traits.h"
#include "backend/workspaces.h"

namespace hiplab::backend {

class Parts;

struct DeviceInfo {
  std::string name;
  std::string arch;  // "gfx1151"
  std::size_t total_bytes = 0;
  int multiprocessors = 0;
  int warp_size = 0;
};

DeviceInfo device_info(const Table& api, int device);

// Immutable but for its parts, which answer for their own thread safety.
class Device {
 public:
  // The device must be current. Reads its properties; creates no library handle yet.
  Device(const Context& context, Parts& parts, int index);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  int index() const { return index_; }
  const DeviceInfo& info() const { return info_; }
  Traits& traits() const { return *traits_; }
  Rocblas& rocblas() const { return *rocblas_; }
  Workspaces& workspaces() const { return *workspaces_; }
  BlasLtHandle& blaslt() const { return *blaslt_; }
  CapabilityProbe& capabilities() const { return *capabilities_; }
  AlgorithmCache& algorithms() const { return *algorithms_; }
  Encoders& encoders() const { return *encoders_; }
  StreamTracker& tracker() const { return *tracker_; }

 private:
  const int index_;
  const DeviceInfo info_;
  const std::unique_ptr<Traits> traits_;
  const std::unique_ptr<Rocblas> rocblas_;
  const std::unique_ptr<Workspaces> workspaces_;
  const std::unique_ptr<BlasLtHandle> blaslt_;
  const std::unique_ptr<CapabilityProbe> capabilities_;
  const std::unique_ptr<AlgorithmCache> algorithms_;
  const std::unique_ptr<Encoders> encoders_;
  const std::unique_ptr<StreamTracker> tracker_;  // last: its streams use the rest
};

}  // namespace hiplab::backend
