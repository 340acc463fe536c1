// Kernels through hiplab.h: a cache of their own, and one that runs until it is let go.
#pragma once

#include "bindings_tools.h"
#include "kernel_tools.h"

namespace hiplab::bindings {

class WithKernels : public OneStream {
 protected:
  using OneStream::OneStream;

 private:
  const test::Variable cache_{"HIPLAB_CACHE", test::kernel_cache_of_tests().c_str()};
};

// Work on a stream that ends when it is let go: until then whatever follows it there has not begun.
// A kernel of the software device sees the process's own memory.
class Gate {
 public:
  explicit Gate(StreamRef* stream) {
    kernel_ = createKernel(
        "extern \"C\" __global__ void gate(long long flag) {\n"
        "  while (__atomic_load_n((int*)flag, __ATOMIC_ACQUIRE) == 0) {}\n"
        "}\n",
        "gate", "");
    arguments_ = createArguments();
    addLong(arguments_, reinterpret_cast<std::int64_t>(&open_));
    launchKernel(stream, kernel_, 1, 1, 1, 1, 1, 1, arguments_);
  }
  // The stream must have been waited for by then.
  ~Gate() {
    let_go();
    destroyArguments(arguments_);
    destroyKernel(kernel_);
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  void let_go() { __atomic_store_n(&open_, 1, __ATOMIC_RELEASE); }

 private:
  int open_ = 0;
  KernelRef* kernel_ = nullptr;
  ArgumentsRef* arguments_ = nullptr;
};

}  // namespace hiplab::bindings
