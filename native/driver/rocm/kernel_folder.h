// The GPU kernels that a BLAS library of ROCm comes with, read off file names.
#pragma once

#include <map>
#include <string>

namespace hiplab::driver::rocm_provider {

// rocBLAS and hipBLASLt hold most of their GEMM kernels in files beside the library, whose names
// end with the architecture. Seen: <library's folder>/rocblas/library (AMD's packages), the same
// with a version between (rocblas/4.4.1/library, Debian's librocblas4 6.4.4), hipblaslt/library,
// and below either one a folder for each architecture (AMD's releases since 7.14).
struct KernelFolder {
  std::string folder;  // "" when there is none
  bool from_variable = false;
  bool merged = false;                // one index for all: names do not tell architectures
  std::map<std::string, int> counts;  // architecture ("gfx90a") -> files of its GEMMs

  // Whether the names say that there is nothing for that architecture; false when they say nothing.
  bool lacks(const std::string& arch) const {
    return !counts.empty() && !merged && counts.count(arch) == 0;
  }
  std::string listed() const;  // "gfx1100, gfx1151"
};

// `library`: the file that was loaded; `name`: rocblas or hipblaslt. ROCBLAS_TENSILE_LIBPATH and
// HIPBLASLT_TENSILE_LIBPATH name another folder, as they do for the libraries themselves.
KernelFolder kernels_beside(const std::string& library, const std::string& name);

// "gfx90a" of "gfx90a:sramecc+:xnack-".
std::string base_arch(const std::string& arch);

}  // namespace hiplab::driver::rocm_provider
