#include "backend/locked_device_map.h"

#include <mutex>
#include <shared_mutex>
#include <string>

#include "sync/point.h"

namespace hiplab::backend {

Device& LockedDeviceMap::at(int index) {
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = devices_.find(index); found != devices_.end()) return found->second;
  }
  const int count = context_.provider.device_count;
  if (index < 0 || index >= count) {
    throw Error("device " + std::to_string(index) + " does not exist: provider " +
                context_.provider.name + " has " + std::to_string(count) +
                (count == 1 ? " device, allowed is 0"
                            : " devices, allowed are 0 to " + std::to_string(count - 1)));
  }
  const std::unique_lock lock(mutex_);
  if (const auto found = devices_.find(index); found != devices_.end()) return found->second;
  HIPLAB_POINT("devicemap.insert.begin");
  HIPLAB_CHECK(context_.api(), Where{index}, hipSetDevice, index);
  Device& device = devices_.try_emplace(index, context_, parts_, index).first->second;
  HIPLAB_POINT("devicemap.insert.end");
  return device;
}

std::vector<Device*> LockedDeviceMap::opened() {
  const std::shared_lock lock(mutex_);
  std::vector<Device*> all;
  for (auto& [index, device] : devices_) all.push_back(&device);
  return all;
}

}  // namespace hiplab::backend
