// Compiling a kernel program with the provider's hiprtc, for an architecture by its name.
#pragma once

#include <string>
#include <vector>

#include "backend/kernel.h"
#include "driver/provider.h"

namespace hiplab::backend {

// What to compile for. hiprtc needs the name alone: no device of that architecture, nor any.
struct CompileTarget {
  const driver::Provider& provider;
  std::string arch;  // "gfx1151", "gfx90a:sramecc+:xnack-"
  int device = -1;   // for messages; -1: no device in particular
};

// Throws when there is no hiprtc, or when the architecture is none that it knows: it ends the
// process on such (measured on HIP 6.4), so it is not asked. A software device's own name of an
// architecture is let through.
void check_target(const CompileTarget& target);

// The code object. Throws what check_target throws, and hiprtc's log when the program does not
// compile.
std::vector<char> compile_program(const CompileTarget& target, const KernelProgram& program);

}  // namespace hiplab::backend
