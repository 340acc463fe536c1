// Why there is no AMD device: each reason told apart, with the one next step.
#pragma once

#include <string>

#include "driver/rocm/libraries.h"
#include "driver/rocm/reason.h"
#include "driver/rocm/rocm_provider.h"

namespace hiplab::driver::rocm_provider {

// The compute driver's node: missing or not to be opened. quick does not look further at why one is
// missing. None under WSL, which has another node.
Reason kfd_reason(const Places& places, Depth depth);

// A library that was not loaded: not there, too old, or there and not to be loaded.
Reason library_reason(const LibraryName& name, const Loaded& loaded);

// A library that lacks functions; `missing` names them.
Reason lacking_reason(const LibraryName& name, const Loaded& loaded, const std::string& missing);

// HIP was asked and has no device, although the node opens: hidden by a variable, no GPU in the
// topology, a render node missing or refused, or an architecture that `hip`, the file that was
// asked, has nothing for.
Reason no_device_reason(const Places& places, const std::string& hip);

// The environment's variables that hide devices from HIP, as NAME="value"; "" when there are none.
std::string hiding_variables();

}  // namespace hiplab::driver::rocm_provider
