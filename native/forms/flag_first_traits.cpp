#include "forms/flag_first_traits.h"

#include "backend/device.h"
#include "backend/rocblas.h"
#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is one form of a backend part

bool FlagFirstTraits::has_native_wmma() {
  HIPLAB_POINT("traits.enter");
  HIPLAB_READ(&wmma_probed_, "traits.wmma-probed");
  if (!wmma_probed_) {
    HIPLAB_WRITE(&wmma_probed_, "traits.wmma-probed");
    wmma_probed_ = true;
    HIPLAB_POINT("traits.probe.flag-set");
    HIPLAB_POINT("traits.create.begin");
    const bool has = arch_has_native_wmma(device_info(context_.api(), device_).arch.c_str());
    HIPLAB_WRITE(&native_wmma_, "traits.native-wmma");
    native_wmma_ = has;
    HIPLAB_POINT("traits.create.end");
  }
  HIPLAB_READ(&native_wmma_, "traits.native-wmma");
  const bool has = native_wmma_;
  HIPLAB_POINT("traits.leave");
  return has;
}

bool FlagFirstTraits::supports_cdna_mfma_gemm() {
  HIPLAB_READ(&cdna_mfma_probed_, "traits.cdna-probed");
  if (!cdna_mfma_probed_) {
    HIPLAB_WRITE(&cdna_mfma_probed_, "traits.cdna-probed");
    cdna_mfma_probed_ = true;
    HIPLAB_POINT("traits.probe.flag-set");
    const bool has = arch_has_cdna_mfma(device_info(context_.api(), device_).arch.c_str());
    HIPLAB_WRITE(&cdna_mfma_, "traits.cdna-mfma");
    cdna_mfma_ = has;
  }
  HIPLAB_READ(&cdna_mfma_, "traits.cdna-mfma");
  return cdna_mfma_;
}

bool FlagFirstTraits::rocblas_arch_supported() {
  return rocblas_supports(device_info(context_.api(), device_).arch.c_str());
}

}  // namespace hiplab::forms
