// The software device as a provider.
#pragma once

#include <string>

#include "driver/provider.h"

namespace hiplab::driver::host {

// Opens the software device. Once per process: choose() sees to that.
const Provider& open_host(const std::string& profile, int devices);

}  // namespace hiplab::driver::host
