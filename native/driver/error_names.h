// Names and descriptions of the libraries' codes, for the software device and for sentences.
#pragma once

#include "driver/rocm_types.h"

namespace hiplab::driver {

// Static text; never null. An unknown code is "hipErrorUnknown" / "unknown error".
const char* error_name(rocm::hipError_t error);
const char* error_string(rocm::hipError_t error);
const char* status_name(rocm::rocblas_status status);

// Null for an unknown code. hipBLASLt has no function of its own that names its statuses.
const char* status_name(rocm::hipblasStatus_t status);
const char* status_name(rocm::hiprtcResult result);

}  // namespace hiplab::driver
