// FILED form of the device map (mlxcel 2197): find and try_emplace on a map that nothing locks.
#pragma once

#include <unordered_map>

#include "backend/device_map.h"

namespace hiplab::forms {

// Not thread-safe while a device is being opened: that is the finding.
class UnlockedDeviceMap final : public backend::DeviceMap {
 public:
  UnlockedDeviceMap(const backend::Context& context, backend::Parts& parts)
      : context_(context), parts_(parts) {}

  backend::Device& at(int index) override;
  backend::Device* find(int index) override;
  std::vector<backend::Device*> opened() override;

 private:
  const backend::Context context_;
  backend::Parts& parts_;
  std::unordered_map<int, backend::Device> devices_;
};

}  // namespace hiplab::forms
