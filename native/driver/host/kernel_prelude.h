// What every kernel of the software device is compiled with, and what its code exports.
#pragma once

#include <cstdint>
#include <string>

namespace hiplab::driver::host {

// One kernel of a compiled module: the prelude declares the same struct for the kernel's side.
struct KernelEntry {
  const char* name;
  unsigned parameters;
  const unsigned* bytes;  // size of each parameter
  // Runs every thread of the grid, one after the other, on the calling thread. `extent`: grid x, y,
  // z, block x, y, z; `params[i]` points to parameter i, 16-byte aligned.
  void (*run)(const unsigned* extent, void* const* params);
};

// The exported symbols of a module: its kernels, and how many they are.
inline constexpr const char* kKernelsSymbol = "hiplab_kernels";
inline constexpr const char* kKernelCountSymbol = "hiplab_kernel_count";

// The text that stands before the program: HIP's qualifiers, built-in variables, vector types,
// integer types, math and atomics, as far as hiprtc declares them without an include and the
// software device honours them.
extern const char* const kKernelPrelude;

// The file name under which compilers see it.
inline constexpr const char* kPreludeFile = "hiplab_prelude.h";

}  // namespace hiplab::driver::host
