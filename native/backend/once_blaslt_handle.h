// One hipBLASLt handle per device, created once and published only when it is complete
// (mlxcel 2200).
#pragma once

#include <atomic>
#include <string>

#include "backend/blaslt_handle.h"
#include "backend/context.h"
#include "backend/owned.h"
#include "sync/mutex.h"

namespace hiplab::backend {

class OnceBlasLtHandle final : public BlasLtHandle {
 public:
  OnceBlasLtHandle(const Context& context, int device) : context_(context), device_(device) {}

  // Under no capture: see open_captures.h.
  ~OnceBlasLtHandle() override;

  // That there is no library, or none for this device, is remembered: this is asked for every GEMM
  // and must not retry each time (mlxcel 2200). Whatever else a create fails with, another stream's
  // capture for one, may pass: it is told once, and the next call tries again.
  bool available() override;
  bool settled() const override {
    const int state = init_state_.load(std::memory_order_acquire);
    return state == kReady || state == kUnavailable;
  }
  bool failed() const override { return init_state_.load(std::memory_order_acquire) == kFailed; }
  hipblasLtHandle_t get() override;

 private:
  enum State : int { kNotTried = 0, kReady = 1, kUnavailable = 2, kFailed = 3 };

  void ensure_created();
  void fails(const std::string& why, State state);  // mutex_ held

  const Context context_;
  const int device_;
  sync::Mutex mutex_{"hipBLASLt handle"};
  OwnedBlasLt handle_;   // written under mutex_ before kReady is released
  std::string why_not_;  // mutex_
  bool warned_ = false;  // mutex_
  std::atomic<int> init_state_{kNotTried};
};

}  // namespace hiplab::backend
