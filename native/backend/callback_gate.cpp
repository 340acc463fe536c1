#include "backend/callback_gate.h"

namespace hiplab::backend {

void CallbackGate::open() {
  const std::lock_guard lock(mutex_);
  open_ = true;
  opened_.notify_all();
}

void CallbackGate::pass() {
  std::unique_lock lock(mutex_);
  reached_.store(true);
  opened_.wait(lock, [this] { return open_; });
}

}  // namespace hiplab::backend
