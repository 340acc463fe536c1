// One rocBLAS handle per device, created once under a mutex, used only through a lease that holds
// that mutex and has bound the stream (mlxcel 2198).
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "backend/context.h"
#include "backend/owned.h"
#include "backend/rocblas.h"
#include "sync/mutex.h"

namespace hiplab::backend {

// The right to use the handle: while it lives no other thread can rebind the stream. It covers the
// host's enqueue only; GEMMs on different streams still overlap on the GPU.
class RocblasLease {
 public:
  RocblasLease(std::unique_lock<sync::Mutex> lock, rocblas_handle handle)
      : lock_(std::move(lock)), handle_(handle) {}
  RocblasLease(RocblasLease&&) = default;
  RocblasLease& operator=(RocblasLease&&) = default;

  rocblas_handle handle() const { return handle_; }

 private:
  std::unique_lock<sync::Mutex> lock_;
  rocblas_handle handle_;
};

class LeasedRocblas final : public Rocblas {
 public:
  // `arch` as the device names it; it decides for good whether rocBLAS is supported.
  LeasedRocblas(const Context& context, int device, std::string arch);

  // Locks, creates the handle if needed, binds the stream. Throws when the architecture is not
  // supported, and when creating or binding fails, naming the status; the next call tries again.
  RocblasLease acquire(hipStream_t stream);

  // Takes no lock once the handle is ready, so it may be asked while a lease is held.
  bool available() override;
  bool settled() const override {
    return !arch_supported_ || ready_.load(std::memory_order_acquire);
  }
  rocblas_status with_handle(hipStream_t stream, const RocblasCall& call) override;
  void forget(hipStream_t stream) override;

 private:
  void ensure_created();  // mutex_ held
  [[noreturn]] void fail_once_told(const std::string& message, FailedCall call = {});

  const Context context_;
  const int device_;
  const std::string arch_;
  const bool arch_supported_;
  sync::Mutex mutex_{"rocBLAS handle"};
  OwnedRocblas handle_;                      // mutex_
  std::optional<hipStream_t> bound_stream_;  // mutex_
  bool warned_ = false;                      // mutex_
  std::atomic<bool> ready_{false};
};

}  // namespace hiplab::backend
