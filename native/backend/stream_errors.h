// The last error of each stream, as error paths record it: by device and stream handle alone.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <utility>

#include "backend/check.h"
#include "sync/mutex.h"

namespace hiplab::backend {

class DeviceMap;

// Thread-safe. Looks devices and encoders up, each lock released before the next is taken, so it
// may be called wherever no lock of theirs is held (mlxcel 2197, record_stream_error).
class StreamErrors {
 public:
  // From here on, until null is attached, errors go to the stream's encoder.
  void attach(DeviceMap* devices) { devices_.store(devices, std::memory_order_release); }

  // What no encoder can take is kept here.
  void record(const Where& where, const std::string& what);

  // Empty when there is none.
  std::string last(const Where& where);

  // The stream is about to be destroyed.
  void forget(const Where& where);

 private:
  using Key = std::pair<int, hipStream_t>;

  std::atomic<DeviceMap*> devices_{nullptr};
  sync::Mutex mutex_{"stream errors"};
  std::map<Key, std::string> without_encoder_;  // mutex_
};

}  // namespace hiplab::backend
