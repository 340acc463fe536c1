// Reads a kernel's source as far as the software device must understand it: which kernels it has,
// and what it uses that the device cannot honour.
#pragma once

#include <string>
#include <vector>

namespace hiplab::driver::host {

struct FoundKernel {
  std::string name;       // as hipModuleGetFunction is asked for it
  std::string qualified;  // as C++ finds it from outside: "::space::name"
};

struct Scan {
  std::vector<FoundKernel> kernels;  // extern "C" __global__ functions, each once
  std::string refused;               // "name:line: error: ..." lines; empty when all is honoured
  std::vector<std::string> files;    // that line markers name
  bool balanced = true;              // no brace is left open
};

// `text` is the source itself, whose lines belong to `file`, or what a preprocessor made of it,
// with line markers.
Scan scan_kernels(const std::string& text, const std::string& file);

}  // namespace hiplab::driver::host
