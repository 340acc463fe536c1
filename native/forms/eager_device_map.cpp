#include "forms/eager_device_map.h"

#include <mutex>
#include <utility>

#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::forms {

using backend::Device;
using backend::Where;

void EagerDeviceMap::construct_all() {
  const std::lock_guard lock(mutex_);
  if (constructed_.load(std::memory_order_relaxed)) return;
  HIPLAB_POINT("devicemap.create.begin");
  std::vector<std::unique_ptr<Device>> all;
  for (int index = 0; index < context_.provider.device_count; ++index) {
    HIPLAB_CHECK(context_.api(), Where{index}, hipSetDevice, index);
    all.push_back(std::make_unique<Device>(context_, parts_, index));
  }
  HIPLAB_WRITE(&devices_, "devicemap.devices");
  devices_ = std::move(all);
  HIPLAB_POINT("devicemap.create.end");
  constructed_.store(true, std::memory_order_release);
}

Device& EagerDeviceMap::at(int index) {
  HIPLAB_POINT("devicemap.enter");
  backend::check_device_index(context_, index);
  if (!constructed()) {
    HIPLAB_POINT("devicemap.find.miss");
    construct_all();
    HIPLAB_CHECK(context_.api(), Where{index}, hipSetDevice, index);
  }
  HIPLAB_READ(&devices_, "devicemap.devices");
  Device& device = *devices_[static_cast<std::size_t>(index)];
  HIPLAB_POINT("devicemap.leave");
  return device;
}

Device* EagerDeviceMap::find(int index) {
  if (!constructed() || index < 0 || index >= context_.provider.device_count) return nullptr;
  HIPLAB_READ(&devices_, "devicemap.devices");
  return devices_[static_cast<std::size_t>(index)].get();
}

std::vector<Device*> EagerDeviceMap::opened() {
  std::vector<Device*> all;
  if (!constructed()) return all;
  HIPLAB_READ(&devices_, "devicemap.devices");
  for (const auto& device : devices_) all.push_back(device.get());
  return all;
}

}  // namespace hiplab::forms
