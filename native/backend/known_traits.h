// Traits computed once, when the device is constructed, from the properties that it reads anyway;
// plain getters afterwards (mlxcel 2198).
#pragma once

#include <string>

#include "backend/traits.h"

namespace hiplab::backend {

class KnownTraits final : public Traits {
 public:
  explicit KnownTraits(const std::string& arch);

  bool has_native_wmma() override;
  bool supports_cdna_mfma_gemm() override;
  bool rocblas_arch_supported() override;

 private:
  bool native_wmma_ = false;
  bool cdna_mfma_ = false;
  bool rocblas_ = false;
};

}  // namespace hiplab::backend
