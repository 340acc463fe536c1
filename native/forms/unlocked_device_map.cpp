#include "forms/unlocked_device_map.h"

#include "sync/point.h"

namespace hiplab::forms {

using backend::Device;
using backend::Where;

Device& UnlockedDeviceMap::at(int index) {
  if (const auto found = devices_.find(index); found != devices_.end()) return found->second;
  HIPLAB_POINT("devicemap.insert.begin");
  HIPLAB_CHECK(context_.api(), Where{index}, hipSetDevice, index);
  Device& device = devices_.try_emplace(index, context_, parts_, index).first->second;
  HIPLAB_POINT("devicemap.insert.end");
  return device;
}

std::vector<Device*> UnlockedDeviceMap::opened() {
  std::vector<Device*> all;
  for (auto& [index, device] : devices_) all.push_back(&device);
  return all;
}

}  // namespace hiplab::forms
