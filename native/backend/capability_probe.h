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
    return type == ElementType::bf16 ? bf16 : type == ElementType::f16 && f16;
  }
};

// Thread-safe unless the form says otherwise.
class CapabilityProbe {
 public:
  virtual ~CapabilityProbe() = default;

  // Probes the first time and tells the result on stderr. Throws when hipBLASLt is not available.
  virtual Capabilities get() = 0;
};

// Asks the heuristic about one small GEMM of each type.
Capabilities probe_capabilities(const Context& context, int device, hipblasLtHandle_t handle);

// "[hipBLASLt caps] device 0: bf16 1 f16 1 fp8 0" on stderr.
void tell_capabilities(int device, const Capabilities& capabilities);

}  // namespace hiplab::backend
