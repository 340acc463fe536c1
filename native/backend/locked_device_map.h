// The device map under a shared lock (mlxcel 2197).
//
// Only the device that was asked for is touched: a context on another GPU of the host can wedge
// that GPU's queue, so constructing all of them at once was rejected there. The map is never torn
// down by static destructors: it lives in a Backend, and the process's own Backend is leaked.
#pragma once

#include <unordered_map>

#include "backend/device_map.h"
#include "sync/mutex.h"

namespace hiplab::backend {

class LockedDeviceMap final : public DeviceMap {
 public:
  LockedDeviceMap(const Context& context, Parts& parts) : context_(context), parts_(parts) {}

  Device& at(int index) override;
  std::vector<Device*> opened() override;

 private:
  const Context context_;
  Parts& parts_;
  sync::SharedMutex mutex_{"device map"};
  std::unordered_map<int, Device> devices_;  // nodes are never erased: references stay valid
};

}  // namespace hiplab::backend
