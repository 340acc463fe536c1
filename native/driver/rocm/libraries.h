// Finding and loading ROCm's libraries at run time.
#pragma once

#include <string>
#include <vector>

namespace hiplab::driver::rocm_provider {

// One of ROCm's libraries by its stem ("libamdhip64") and its sonames, newest first.
struct LibraryName {
  std::string stem;
  std::vector<std::string> sonames;
  std::vector<std::string> too_old;  // sonames whose functions differ: named, never loaded
  std::string packages;              // that have it, for whoever is to install it
};

const LibraryName& hip_library();
const LibraryName& hiprtc_library();
const LibraryName& rocblas_library();
const LibraryName& hipblaslt_library();

struct Loaded {
  void* handle = nullptr;  // never closed: ROCm's static state does not survive that
  std::string path;        // the file that was loaded
  std::string tried;       // when not loaded: what was tried, and the loader's own words
  std::string words;       // the loader's on the first file that is there and does not load
  std::string old;         // when not loaded: a file that is there and too old
};

// Tries `root` (ROCm's folder or its lib folder) alone when it is not empty; else /opt/rocm/lib,
// then the loader's own search.
Loaded load(const LibraryName& library, const std::string& root);

}  // namespace hiplab::driver::rocm_provider
