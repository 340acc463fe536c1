// EAGER form of the device map (upstream MLX, as mlxcel 2197 describes and rejects it): one
// initializer constructs every device, so that lookups only read. It touches devices that nobody
// asked for.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "backend/device_map.h"
#include "sync/mutex.h"

namespace hiplab::forms {

// Thread-safe.
class EagerDeviceMap final : public backend::DeviceMap {
 public:
  EagerDeviceMap(const backend::Context& context, backend::Parts& parts)
      : context_(context), parts_(parts) {}

  backend::Device& at(int index) override;
  backend::Device* find(int index) override;
  std::vector<backend::Device*> opened() override;

 private:
  bool constructed() const { return constructed_.load(std::memory_order_acquire); }
  void construct_all();

  const backend::Context context_;
  backend::Parts& parts_;
  sync::Mutex mutex_{"device map"};
  std::vector<std::unique_ptr<backend::Device>> devices_;  // written before constructed_ is set
  std::atomic<bool> constructed_{false};
};

}  // namespace hiplab::forms
