#include "backend/locked_device_map.h"

#include <mutex>
#include <shared_mutex>

#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::backend {

Device* LockedDeviceMap::find(int index) {
  const std::shared_lock lock(mutex_);
  HIPLAB_READ(&devices_, "devicemap.devices");
  const auto found = devices_.find(index);
  return found == devices_.end() ? nullptr : &found->second;
}

Device& LockedDeviceMap::at(int index) {
  HIPLAB_POINT("devicemap.enter");
  Device* device = find(index);
  if (device == nullptr) device = &insert(index);
  HIPLAB_POINT("devicemap.leave");
  return *device;
}

Device& LockedDeviceMap::insert(int index) {
  check_device_index(context_, index);
  HIPLAB_POINT("devicemap.find.miss");
  const std::unique_lock lock(mutex_);
  HIPLAB_READ(&devices_, "devicemap.devices");
  if (const auto found = devices_.find(index); found != devices_.end()) return found->second;
  HIPLAB_POINT("devicemap.create.begin");
  HIPLAB_CHECK(context_.api(), Where{index}, hipSetDevice, index);
  // A constructor that throws inserts nothing, and the next call tries again.
  HIPLAB_WRITE(&devices_, "devicemap.devices");
  Device& device = devices_.try_emplace(index, context_, parts_, index).first->second;
  HIPLAB_POINT("devicemap.create.end");
  return device;
}

std::vector<Device*> LockedDeviceMap::opened() {
  const std::shared_lock lock(mutex_);
  HIPLAB_READ(&devices_, "devicemap.devices");
  std::vector<Device*> all;
  for (auto& [index, device] : devices_) all.push_back(&device);
  return all;
}

}  // namespace hiplab::backend
