#include "backend/stream_errors.h"

#include <memory>
#include <mutex>

#include "backend/device_map.h"
#include "sync/access.h"

namespace hiplab::backend {
namespace {

std::shared_ptr<Encoder> find_encoder(DeviceMap* devices, const Where& where) {
  Device* device = devices != nullptr ? devices->find(where.device) : nullptr;
  return device != nullptr ? device->encoders().find(where.stream) : nullptr;
}

}  // namespace

void StreamErrors::record(const Where& where, const std::string& what) {
  if (const auto encoder = find_encoder(devices_.load(std::memory_order_acquire), where)) {
    encoder->record_error(what);
    return;
  }
  const std::lock_guard lock(mutex_);
  HIPLAB_WRITE(&without_encoder_, "stream-errors.map");
  without_encoder_[{where.device, where.stream}] = what;
}

std::string StreamErrors::last(const Where& where) {
  if (const auto encoder = find_encoder(devices_.load(std::memory_order_acquire), where)) {
    if (std::string error = encoder->last_error(); !error.empty()) return error;
  }
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&without_encoder_, "stream-errors.map");
  const auto found = without_encoder_.find({where.device, where.stream});
  return found == without_encoder_.end() ? std::string() : found->second;
}

void StreamErrors::forget(const Where& where) {
  const std::lock_guard lock(mutex_);
  HIPLAB_WRITE(&without_encoder_, "stream-errors.map");
  without_encoder_.erase({where.device, where.stream});
}

}  // namespace hiplab::backend
