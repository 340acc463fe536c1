// hipBLASLt's functions about solutions, found by their C++ names.
#pragma once

#include "driver/solutions.h"

namespace hiplab::driver::rocm_provider {

// `library`: a loaded libhipblaslt. What it lacks stays empty.
Solutions take_solutions(void* library);

}  // namespace hiplab::driver::rocm_provider
