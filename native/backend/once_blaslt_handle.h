// One hipBLASLt handle per device, created once and published only when it is complete
// (mlxcel 2200).
#pragma once

#include <atomic>

#include "backend/blaslt_handle.h"
#include "backend/context.h"
#include "backend/owned.h"
#include "sync/mutex.h"

namespace hiplab::backend {

class OnceBlasLtHandle final : public BlasLtHandle {
 public:
  OnceBlasLtHandle(const Context& context, int device) : context_(context), device_(device) {}

  // A failed create is permanent: this is asked for every GEMM and must not retry each time.
  bool available() override;
  bool settled() const override { return init_state_.load(std::memory_order_acquire) != kNotTried; }
  hipblasLtHandle_t get() override;

 private:
  enum State : int { kNotTried = 0, kReady = 1, kUnavailable = 2 };

  void ensure_created();

  const Context context_;
  const int device_;
  sync::Mutex mutex_{"hipBLASLt handle"};
  OwnedBlasLt handle_;  // written under mutex_ before kReady is released
  std::atomic<int> init_state_{kNotTried};
};

}  // namespace hiplab::backend
