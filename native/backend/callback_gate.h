// What host callbacks wait for.
#pragma once

#include <atomic>

#include "sync/condition_variable.h"
#include "sync/mutex.h"

namespace hiplab::backend {

// Thread-safe. A callback shares it: it may come after whoever opened it has gone.
class CallbackGate {
 public:
  void open();
  void pass();  // marks it as reached and waits until it is open
  bool reached() const { return reached_.load(); }

 private:
  std::atomic<bool> reached_{false};
  sync::Mutex mutex_{"gate"};
  sync::ConditionVariable opened_;
  bool open_ = false;  // mutex_
};

}  // namespace hiplab::backend
