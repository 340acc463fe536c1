// Compiles a HIP program into a shared object with the machine's C++ compiler.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "driver/host/code_cache.h"

namespace hiplab::driver::host {

struct CompileJob {
  std::string source;
  std::string name;                                          // as the log tells it
  std::vector<std::pair<std::string, std::string>> headers;  // name in #include, text
  std::string macros;                                        // lines before the source
  std::vector<std::string> flags;
  int warp_size = 32;
  std::chrono::milliseconds limit = std::chrono::seconds(120);
};

struct Compiled {
  enum class Result {
    done,
    refused,  // the program has an error, or something that the device does not honour
    failed,   // no compiler, no room, no time: nothing that the program could mend
  };
  Result result = Result::failed;
  std::string code;  // an ELF shared object that exports the symbols of kernel_prelude.h
  std::string log;   // of the compiler, naming the program's own name and lines
};

// Throws nothing but std::bad_alloc. Runs one compiler at a time: compiles are serial inside one
// process (measured on HIP 6.4's hiprtc).
Compiled compile_kernels(const CompileJob& job, const CodeCache& cache);

}  // namespace hiplab::driver::host
