// Which element types hipBLASLt has GEMMs for on one device.
#pragma once

#include "backend/blaslt_handle.h"
#include "backend/context.h"
#include "backend/gemm_call.h"

namespace hiplab::backend {

struct Capabilities {
  bool bf16 = false;
  bool f16 = false;
  bool fp8 = false;

  bool has(ElementType type) const {
    switch (type) {
      case ElementType::bf16:
        return bf16;
      case ElementType::f16:
        return f16;
      case ElementType::f8:
        return fp8;
      case ElementType::f32:
        return false;  // f32 takes rocBLAS
    }
    return false;
  }
};

// Thread-safe unless the form says otherwise.
class CapabilityProbe {
 public:
  virtual ~CapabilityProbe() = default;

  // Probes the first time and tells the result on stderr. Throws when hipBLASLt is not available.
  virtual Capabilities get() = 0;
};

// Asks the heuristic about one small GEMM of each type, TN. "Not supported" is an answer, also when
// a layout of that type is refused; any other failure throws.
Capabilities probe_capabilities(const Context& context, int device, hipblasLtHandle_t handle);

// "[hipBLASLt caps] device 0: bf16 1 f16 1 fp8 0" on stderr, unless the backend is quiet.
void tell_capabilities(const Context& context, int device, const Capabilities& capabilities);

}  // namespace hiplab::backend
