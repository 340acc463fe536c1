// A GEMM through a kernel of our own: for devices whose libraries have none.
#pragma once

#include "backend/device.h"
#include "backend/gemm_call.h"
#include "backend/kernel.h"
#include "backend/module_cache.h"

namespace hiplab::backend {

// f32 accumulation in the order of k: right everywhere, fast nowhere. One thread an element of C;
// where the device has native WMMA (Traits), the kernel that is written for it, four elements a
// thread. It does not use the instruction: the software device has none, and the sums are the same.
// As thread-safe as the module cache.
class JitGemm {
 public:
  // `modules` must outlive this object.
  JitGemm(const Context& context, ModuleCache& modules) : context_(context), modules_(modules) {}

  // Whether the provider can compile kernels at all.
  bool available() const { return context_.api().hiprtcCreateProgram != nullptr; }

  // Enqueues on the stream and counts the route. Throws when the kernel does not compile or launch.
  void run(Device& device, hipStream_t stream, const GemmCall& call);

 private:
  const Context context_;
  ModuleCache& modules_;
};

// One of its kernels, which are one program, for whoever compiles that without a device. Lives
// forever.
const Kernel& gemm_kernel();

}  // namespace hiplab::backend
