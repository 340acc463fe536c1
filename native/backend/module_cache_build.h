// Making a module: hiprtc, then load, then the table of its kernels.
#pragma once

#include <string>
#include <unordered_map>

#include "backend/context.h"
#include "backend/device.h"
#include "backend/kernel.h"
#include "backend/owned.h"

namespace hiplab::backend {

using OwnedModule = Owned<hipModule_t, &Table::hipModuleUnload>;

struct ModuleKernel {
  hipFunction_t function = nullptr;
  bool configured = false;
};

// A loaded module. The table is filled when it is built, and no entry is added later.
struct BuiltModule {
  OwnedModule module;
  std::unordered_map<std::string, ModuleKernel> kernels;
};

// Compiles for the device's architecture and loads on the device, which is current meanwhile.
// Throws with hiprtc's log when the program does not compile, and when the architecture is none
// that hiprtc knows: it ends the process on such (measured on HIP 6.4), so it is not asked.
// Reaches the points modulecache.compile.begin and .compile.end.
BuiltModule build_module(const Context& context, const Device& device,
                         const KernelProgram& program);

// "<device>:<program>": a module serves the device that loaded it.
std::string module_key(const Device& device, const KernelProgram& program);

}  // namespace hiplab::backend
