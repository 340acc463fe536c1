// hiplab.h: kernels compiled without a device.
#include <algorithm>

#include "backend/jit_gemm.h"
#include "backend/kernel_compile.h"
#include "bindings/checks.h"
#include "bindings/hiplab.h"
#include "raw/provider.h"

namespace hiplab::bindings {

KernelRef* gemmKernel() { return new KernelRef{backend::gemm_kernel()}; }

CodeRef* compileKernel(KernelRef* kernel, const std::string& arch) {
  const backend::KernelProgram& program = required(kernel, "kernel").kernel.program();
  return new CodeRef{backend::compile_program({*raw::choice().provider, arch}, program)};
}

int64_t codeBytes(CodeRef* code) {
  return static_cast<int64_t>(required(code, "code").code.size());
}

void copyCode(CodeRef* code, signed char* out) {
  const std::vector<char>& bytes = required(code, "code").code;
  std::copy(bytes.begin(), bytes.end(), out);
}

void destroyCode(CodeRef* code) {
  required(code, "code");
  delete code;
}

}  // namespace hiplab::bindings
