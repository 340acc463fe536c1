// HIP's and rocBLAS's names and descriptions of their codes, for the software device.
#pragma once

#include "driver/rocm_types.h"

namespace hiplab::driver {

// Static text; never null. An unknown code is "hipErrorUnknown" / "unknown error".
const char* error_name(rocm::hipError_t error);
const char* error_string(rocm::hipError_t error);
const char* status_name(rocm::rocblas_status status);

}  // namespace hiplab::driver
