// FILED form of the device's traits (mlxcel 2198): probed lazily, each flag set before its work, so
// that a caller who comes during a probe reads false and takes the slow route once.
#pragma once

#include "backend/context.h"
#include "backend/traits.h"

namespace hiplab::forms {

// Not thread-safe: that is the finding. The fields are plain on purpose, as filed.
class FlagFirstTraits final : public backend::Traits {
 public:
  FlagFirstTraits(const backend::Context& context, int device)
      : context_(context), device_(device) {}

  bool has_native_wmma() override;
  bool supports_cdna_mfma_gemm() override;
  bool rocblas_arch_supported() override;

 private:
  const backend::Context context_;
  const int device_;
  bool wmma_probed_ = false;
  bool native_wmma_ = false;
  bool cdna_mfma_probed_ = false;
  bool cdna_mfma_ = false;
};

}  // namespace hiplab::forms
