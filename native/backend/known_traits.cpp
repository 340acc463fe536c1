#include "backend/known_traits.h"

#include "backend/rocblas.h"
#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::backend {

KnownTraits::KnownTraits(const std::string& arch) {
  HIPLAB_POINT("traits.create.begin");
  HIPLAB_WRITE(&native_wmma_, "traits.native-wmma");
  native_wmma_ = arch_has_native_wmma(arch.c_str());
  HIPLAB_WRITE(&cdna_mfma_, "traits.cdna-mfma");
  cdna_mfma_ = arch_has_cdna_mfma(arch.c_str());
  rocblas_ = rocblas_supports(arch.c_str());
  HIPLAB_POINT("traits.create.end");
}

bool KnownTraits::has_native_wmma() {
  HIPLAB_POINT("traits.enter");
  HIPLAB_READ(&native_wmma_, "traits.native-wmma");
  const bool has = native_wmma_;
  HIPLAB_POINT("traits.leave");
  return has;
}

bool KnownTraits::supports_cdna_mfma_gemm() {
  HIPLAB_READ(&cdna_mfma_, "traits.cdna-mfma");
  return cdna_mfma_;
}

bool KnownTraits::rocblas_arch_supported() { return rocblas_; }

}  // namespace hiplab::backend
