// What a machine has of ROCm, for people and reports: facts, one "key=value" a line.
#pragma once

#include <string>
#include <vector>

#include "driver/rocm/rocm_provider.h"

namespace hiplab::driver::rocm_provider {

// Parts that can be asked for one by one, as one of these libraries may end the process that loads
// it: "machine" (device nodes, topology, PCI bus; loads nothing), then "hip", "hiprtc", "rocblas"
// and "hipblaslt" (loads that library), "verdict" (thorough look; may open the provider).
const std::vector<std::string>& inventory_parts();

// The facts of one part; hiplab.h lists the keys. Values are one line each. Throws Error on a part
// that there is not.
std::string inventory(const std::string& part, const Places& places);

}  // namespace hiplab::driver::rocm_provider
