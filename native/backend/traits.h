// What a device's architecture can do, on which routes and kernels depend.
#pragma once

#include "backend/check.h"

namespace hiplab::backend {

// Of an architecture name as the device tells it; features behind a colon are ignored. False for
// names that are no AMD target.
bool arch_has_native_wmma(const char* arch);  // RDNA 3 and 4: gfx11, gfx12
bool arch_has_cdna_mfma(const char* arch);    // CDNA: gfx908, gfx90a, gfx94, gfx95

// The traits of one device. Asked on every route decision. Thread-safe unless the form says
// otherwise.
class Traits {
 public:
  virtual ~Traits() = default;

  // Wave matrix instructions: JIT GEMMs take the kernel written for them.
  virtual bool has_native_wmma() = 0;

  // Matrix instructions of the CDNA kind.
  virtual bool supports_cdna_mfma_gemm() = 0;

  // Whether rocBLAS ships kernels for the architecture: see rocblas_supports().
  virtual bool rocblas_arch_supported() = 0;
};

}  // namespace hiplab::backend
