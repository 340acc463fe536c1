// Guards before calls of the real libraries that end the process.
#pragma once

#include "driver/table.h"

namespace hiplab::driver::rocm_provider {

// Puts the guards in front of the table's functions. For one table of a process.
//
// hipblasLtCreate calls exit(1) when there is no device (Debian's hipBLASLt 1.1.0 with no GPU), so
// it is only reached after hipGetDeviceCount gave success and at least one; else the caller gets
// HIPBLAS_STATUS_NOT_INITIALIZED. rocblas_create_handle needs none: it returns a status.
// rocblas_initialize and hiprtc's compiler, which abort, are not in the table.
void guard(Table& table);

}  // namespace hiplab::driver::rocm_provider
