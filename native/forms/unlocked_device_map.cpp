#include "forms/unlocked_device_map.h"

#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::forms {

using backend::Device;
using backend::Where;

Device& UnlockedDeviceMap::at(int index) {
  HIPLAB_POINT("devicemap.enter");
  Device* device = find(index);
  if (device == nullptr) {
    HIPLAB_POINT("devicemap.find.miss");
    HIPLAB_POINT("devicemap.create.begin");
    HIPLAB_CHECK(context_.api(), Where{index}, hipSetDevice, index);
    HIPLAB_WRITE(&devices_, "devicemap.devices");
    device = &devices_.try_emplace(index, context_, parts_, index).first->second;
    HIPLAB_POINT("devicemap.create.end");
  }
  HIPLAB_POINT("devicemap.leave");
  return *device;
}

Device* UnlockedDeviceMap::find(int index) {
  HIPLAB_READ(&devices_, "devicemap.devices");
  const auto found = devices_.find(index);
  return found == devices_.end() ? nullptr : &found->second;
}

std::vector<Device*> UnlockedDeviceMap::opened() {
  HIPLAB_READ(&devices_, "devicemap.devices");
  std::vector<Device*> all;
  for (auto& [index, device] : devices_) all.push_back(&device);
  return all;
}

}  // namespace hiplab::forms
