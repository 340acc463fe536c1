// FILED form of the hipBLASLt handle (mlxcel 2200): initialized is set before the create, available
// after it, the workspace is allocated after that, and readers look at both flags without the lock.
#pragma once

#include <functional>
#include <utility>

#include "backend/blaslt_handle.h"
#include "backend/context.h"
#include "sync/mutex.h"

namespace hiplab::forms {

// Not thread-safe during init: that is the finding. The flags are plain on purpose, as filed.
class FlagFirstBlasLtHandle final : public backend::BlasLtHandle {
 public:
  // `after_available` runs at the end of init: the workspace allocation, where that is as filed.
  FlagFirstBlasLtHandle(const backend::Context& context, int device,
                        std::function<void()> after_available)
      : context_(context), device_(device), after_available_(std::move(after_available)) {}
  ~FlagFirstBlasLtHandle() override;

  bool available() override;
  bool settled() const override { return true; }  // creates whenever it is asked, as filed
  backend::hipblasLtHandle_t get() override;

 private:
  void ensure_initialized();
  void init();  // mutex_ held

  const backend::Context context_;
  const int device_;
  const std::function<void()> after_available_;
  sync::Mutex mutex_{"hipBLASLt state"};
  bool initialized_ = false;
  bool available_ = false;
  backend::hipblasLtHandle_t handle_ = nullptr;
};

}  // namespace hiplab::forms
