// What hipBLASLt itself calls an algorithm: the number and the name of its solution.
//
// Not in the driver table: the library gives them through functions with C++ names
// (hipblaslt_ext), which a release may lack.
#pragma once

#include <functional>
#include <string>

#include "driver/rocm_types.h"

namespace hiplab::driver {

// Either may be empty: the library does not tell. Thread-safe. The algorithm must be one that the
// library's heuristic gave.
struct Solutions {
  // The index that hipblaslt-bench prints and takes as its solution index.
  std::function<int(const rocm::hipblasLtMatmulAlgo_t& algo)> index;
  std::function<std::string(rocm::hipblasLtHandle_t handle,
                            const rocm::hipblasLtMatmulAlgo_t& algo)>
      name;
};

}  // namespace hiplab::driver
