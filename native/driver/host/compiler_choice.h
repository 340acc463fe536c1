// The machine's C++ compiler.
#pragma once

#include <string>
#include <vector>

namespace hiplab::driver::host {

struct CompilerChoice {
  std::vector<std::string> command;  // path, then arguments that the variable held; empty: none
  std::string version;               // first line of what it says to --version
  std::string identity;              // path, size, time and version: another compiler differs
  std::string missing;               // a sentence: what was looked for, and the next step
};

// HIPLAB_CXX and nothing else when it is set; else CXX, then c++, g++ and clang++ on PATH. Reads
// the environment at each call; a compiler's version is asked for once.
CompilerChoice choose_compiler();

}  // namespace hiplab::driver::host
