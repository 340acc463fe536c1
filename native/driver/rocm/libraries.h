// Finding and loading ROCm's libraries at run time.
#pragma once

#include <string>
#include <vector>

namespace hiplab::driver::rocm_provider {

// One of ROCm's libraries by its stem ("libamdhip64") and its sonames, newest first.
struct LibraryName {
  std::string stem;
  std::vector<std::string> sonames;
};

const LibraryName& hip_library();
const LibraryName& hiprtc_library();
const LibraryName& rocblas_library();
const LibraryName& hipblaslt_library();

struct Loaded {
  void* handle = nullptr;  // never closed: ROCm's static state does not survive that
  std::string path;        // the file that was loaded
  std::string tried;       // when not loaded: what was tried, and the loader's own words
};

// Tries `root` (ROCm's folder or its lib folder) alone when it is not empty; else /opt/rocm/lib,
// then the loader's own search.
Loaded load(const LibraryName& library, const std::string& root);

}  // namespace hiplab::driver::rocm_provider
