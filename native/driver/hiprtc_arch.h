// Which --offload-arch strings hiprtc takes. The real one ends the process on any other (measured
// on HIP 6.4: free(): invalid pointer), so everybody asks here before calling it.
#pragma once

#include <string>

namespace hiplab::driver {

// "gfx1151", "gfx90a:sramecc+:xnack-": an AMD target of ROCm 6.4 with features that it has.
bool is_amd_target(const std::string& arch);

}  // namespace hiplab::driver
