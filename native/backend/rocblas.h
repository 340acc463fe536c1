// rocBLAS of one device: one handle, to which the calling stream is bound for each call.
#pragma once

#include <functional>

#include "backend/check.h"

namespace hiplab::backend {

using RocblasCall = std::function<rocblas_status(rocblas_handle)>;

// Thread-safe unless the form says otherwise.
class Rocblas {
 public:
  virtual ~Rocblas() = default;

  // Whether GEMMs can take rocBLAS. Creates the handle when it does not exist yet.
  virtual bool available() = 0;

  // Whether no call can create a handle any more: there is one, or there never will be. Cheap.
  virtual bool settled() const = 0;

  // Runs `call` on the calling thread with a handle bound to `stream`; returns the call's status.
  virtual rocblas_status with_handle(hipStream_t stream, const RocblasCall& call) = 0;

  // The stream is about to be destroyed, its handle value may be used again.
  virtual void forget(hipStream_t stream) = 0;
};

// Whether rocBLAS ships kernels for this architecture; features behind a colon are ignored.
// rocblas_create_handle can abort the process where it does not. A name that is no AMD target (a
// software device's) is left to the provider, which says whether it has rocBLAS.
bool rocblas_supports(const char* arch);

}  // namespace hiplab::backend
