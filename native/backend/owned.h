// RAII for every handle that the driver table gives out: made by a create call, destroyed once.
#pragma once

#include <cstddef>
#include <utility>

#include "backend/check.h"

namespace hiplab::backend {

// Move-only owner of a driver handle; Destroy is the member of the table that ends it. The table
// outlives every owner: providers are never unloaded.
template <typename Handle, auto Destroy>
class Owned {
 public:
  Owned() = default;
  Owned(const Table& api, Handle handle) : api_(&api), handle_(handle) {}
  ~Owned() { reset(); }
  Owned(Owned&& other) noexcept
      : api_(other.api_), handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    if (this != &other) {
      reset();
      api_ = other.api_;
      handle_ = std::exchange(other.handle_, nullptr);
    }
    return *this;
  }

  Handle get() const { return handle_; }
  explicit operator bool() const { return handle_ != nullptr; }

  // The handle, for an owner of another kind; this one ends nothing any more.
  [[nodiscard]] Handle release() noexcept { return std::exchange(handle_, nullptr); }

  // A destroy that fails has nowhere to report to: the owner is going away.
  void reset() noexcept {
    if (handle_ != nullptr) (api_->*Destroy)(std::exchange(handle_, nullptr));
  }

 private:
  const Table* api_ = nullptr;
  Handle handle_ = nullptr;
};

using OwnedStream = Owned<hipStream_t, &Table::hipStreamDestroy>;
using OwnedEvent = Owned<hipEvent_t, &Table::hipEventDestroy>;
using OwnedMemory = Owned<void*, &Table::hipFree>;
using OwnedGraph = Owned<hipGraph_t, &Table::hipGraphDestroy>;
using OwnedGraphExec = Owned<hipGraphExec_t, &Table::hipGraphExecDestroy>;
using OwnedRocblas = Owned<rocblas_handle, &Table::rocblas_destroy_handle>;
using OwnedBlasLt = Owned<hipblasLtHandle_t, &Table::hipblasLtDestroy>;
using OwnedMatmulDesc = Owned<hipblasLtMatmulDesc_t, &Table::hipblasLtMatmulDescDestroy>;
using OwnedLayout = Owned<hipblasLtMatrixLayout_t, &Table::hipblasLtMatrixLayoutDestroy>;
using OwnedPreference =
    Owned<hipblasLtMatmulPreference_t, &Table::hipblasLtMatmulPreferenceDestroy>;

}  // namespace hiplab::backend
