// With which statuses each function of the driver table may fail: data for injected faults.
#pragma once

#include <span>
#include <string>

#include "driver/functions.h"

namespace hiplab::driver {

// The statuses other than success that the function may return, likeliest first; empty for a
// function without a status of its own. hipErrorNotReady is in the lists of queries: it is an
// answer, not an error, and a caller must get along with it.
std::span<const int> statuses_of(Function function);

// One of them in a sentence, by number and name as in "2 (hipErrorOutOfMemory)".
std::string status_text(Function function, int status);

// What a function of its library returns when HIP fails underneath it with `error`: for HIP the
// error itself, for a library above HIP that library's own word for it.
int status_under(Function function, hipError_t error);

// Whether the function gives an object back, so that a failed call leaks it.
constexpr bool releases(Function function) {
  switch (function) {
    case Function::hipFree:
    case Function::hipFreeAsync:
    case Function::hipHostFree:
    case Function::hipStreamDestroy:
    case Function::hipEventDestroy:
    case Function::hipGraphDestroy:
    case Function::hipGraphExecDestroy:
    case Function::hipModuleUnload:
    case Function::hiprtcDestroyProgram:
    case Function::rocblas_destroy_handle:
    case Function::hipblasLtDestroy:
    case Function::hipblasLtMatmulDescDestroy:
    case Function::hipblasLtMatrixLayoutDestroy:
    case Function::hipblasLtMatmulPreferenceDestroy:
      return true;
    default:
      return false;
  }
}

}  // namespace hiplab::driver
