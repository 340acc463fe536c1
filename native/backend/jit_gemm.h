// A GEMM through a kernel of our own: for devices whose libraries have none.
#pragma once

#include "backend/device.h"
#include "backend/gemm_call.h"
#include "backend/module_cache.h"

namespace hiplab::backend {

// One thread an element of C, f32 accumulation in the order of k: right everywhere, fast nowhere.
// As thread-safe as the module cache.
class JitGemm {
 public:
  // `modules` must outlive this object.
  JitGemm(const Context& context, ModuleCache& modules) : context_(context), modules_(modules) {}

  // Whether the provider can compile kernels at all.
  bool available() const { return context_.api().hiprtcCreateProgram != nullptr; }

  // Enqueues on the stream. Throws when the kernel does not compile or launch.
  void run(const Device& device, hipStream_t stream, const GemmCall& call);

 private:
  const Context context_;
  ModuleCache& modules_;
};

}  // namespace hiplab::backend
