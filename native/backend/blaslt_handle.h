// The hipBLASLt handle of one device.
#pragma once

#include "backend/check.h"

namespace hiplab::backend {

// Thread-safe unless the form says otherwise.
class BlasLtHandle {
 public:
  virtual ~BlasLtHandle() = default;

  // Whether GEMMs can take hipBLASLt. Asked on every route decision; the first call creates.
  virtual bool available() = 0;

  // Whether no call can create a handle any more: there is one, or there never will be. Cheap.
  virtual bool settled() const = 0;

  // Whether a call could not create the handle, and the next one tries again. Cheap.
  virtual bool failed() const { return false; }

  // The handle; throws when it is not available.
  virtual hipblasLtHandle_t get() = 0;
};

}  // namespace hiplab::backend
