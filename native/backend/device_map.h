// Devices by index, each opened when it is first asked for.
#pragma once

#include <vector>

#include "backend/device.h"

namespace hiplab::backend {

// Thread-safe unless the form says otherwise.
class DeviceMap {
 public:
  virtual ~DeviceMap() = default;

  // The device, opened if need be; throws when there is none of that index. Valid as long as the
  // map. Leaves a newly opened device current on this thread, as HIP's own first use does.
  virtual Device& at(int index) = 0;

  // The devices opened so far.
  virtual std::vector<Device*> opened() = 0;
};

}  // namespace hiplab::backend
