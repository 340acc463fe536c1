#include "backend/device_map.h"

#include <string>

namespace hiplab::backend {

void check_device_index(const Context& context, int index) {
  const int count = context.provider.device_count;
  if (index >= 0 && index < count) return;
  throw Error("device " + std::to_string(index) + " does not exist: provider " +
              context.provider.name + " has " + std::to_string(count) +
              (count == 1 ? " device, allowed is 0"
                          : " devices, allowed are 0 to " + std::to_string(count - 1)));
}

}  // namespace hiplab::backend
