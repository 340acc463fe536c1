// The real ROCm as a provider, loaded at run time: no SDK is needed to build.
#pragma once

#include <string>

#include "driver/provider.h"

namespace hiplab::driver::rocm_provider {

// Where to look. Tests point it elsewhere.
struct Places {
  std::string root;              // HIPLAB_ROCM_PATH; empty: the usual folders
  std::string kfd = "/dev/kfd";  // the compute driver's device node
  std::string dxg = "/dev/dxg";  // its stand-in under WSL
  std::string dri = "/dev/dri";  // render nodes
  std::string topology = "/sys/class/kfd/kfd/topology/nodes";
  std::string pci = "/sys/bus/pci/devices";
};
Places places_of_environment();

// quick stops at the first reason against ROCm, without loading a library when no device node is
// there (a child process that ends on the software device should not pay for it). thorough names
// every reason it can find.
enum class Depth { quick, thorough };

struct Verdict {
  const Provider* provider = nullptr;  // null when not usable
  std::string reason;  // one clause, either way: every obstacle that was found, with its step
  std::string brief;   // when not usable: the first obstacle, and libraries that are missing; no
                       // steps
};

// Looks at ROCm and opens it when it can be used. Usable means that libamdhip64 has every function
// of the table, the device node is there and may be opened, and at least one device answers.
// hiprtc, rocBLAS and hipBLASLt are optional: each is either whole or left out.
Verdict look(const Places& places, Depth depth);

// The same with the environment's places. What was opened stays open and is given again.
Verdict look(Depth depth);

}  // namespace hiplab::driver::rocm_provider
