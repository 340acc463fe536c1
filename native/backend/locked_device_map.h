// The device map behind a shared mutex, looked up twice before an insert (mlxcel 2197). It touches
// no device that it was not asked for: on a multi-GPU host a context on another GPU can wedge that
// GPU's queue.
#pragma once

#include <unordered_map>

#include "backend/device_map.h"
#include "sync/mutex.h"

namespace hiplab::backend {

// The map belongs to its backend, of which the process's own one is leaked: no static destructor
// tears it down under threads that still look devices up.
class LockedDeviceMap final : public DeviceMap {
 public:
  LockedDeviceMap(const Context& context, Parts& parts) : context_(context), parts_(parts) {}

  Device& at(int index) override;
  Device* find(int index) override;
  std::vector<Device*> opened() override;

 private:
  Device& insert(int index);

  const Context context_;
  Parts& parts_;
  sync::SharedMutex mutex_{"device map"};
  std::unordered_map<int, Device> devices_;  // nodes are never erased: references stay valid
};

}  // namespace hiplab::backend
