// What the device counts of hiprtc.
#pragma once

#include <cstdint>

namespace hiplab::driver::host {

// Programs created and not destroyed.
std::int64_t live_programs();

}  // namespace hiplab::driver::host
