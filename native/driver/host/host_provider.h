// The software device as a provider.
#pragma once

#include <string>

#include "driver/provider.h"

namespace hiplab::driver::host {

// Opens the software device. Once per process: choose() sees to that. `arch` is what its devices
// tell as their architecture; empty: the profile's.
const Provider& open_host(const std::string& profile, int devices, const std::string& arch = "");

}  // namespace hiplab::driver::host
