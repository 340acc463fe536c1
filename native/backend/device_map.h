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

  // The device if it has been opened, else null: for those who must open none, as error paths.
  virtual Device* find(int index) = 0;

  // The devices opened so far. No lock of the map is held any more when this returns, so that a
  // Device that is called may look devices up itself (lock order: map, then encoders).
  virtual std::vector<Device*> opened() = 0;
};

// Throws when the provider has no device of that index, naming those that it has.
void check_device_index(const Context& context, int index);

}  // namespace hiplab::backend
