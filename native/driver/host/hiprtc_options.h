// The options of hiprtcCompileProgram, as the software device takes them.
#pragma once

#include <string>
#include <vector>

namespace hiplab::driver::host {

struct HiprtcOptions {
  std::string arch;                // of --offload-arch; empty: the current device's
  std::string macros;              // #define and #undef lines
  std::vector<std::string> flags;  // for the compiler: standard, optimization, folders, warnings
  std::string log;                 // "error: ..." lines; empty when all is understood
};

// Options go to a program of this machine, so only those that are known are let through.
HiprtcOptions parse_hiprtc_options(const std::vector<std::string>& options);

}  // namespace hiplab::driver::host
