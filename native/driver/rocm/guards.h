// Guards before calls of the real libraries that end the process.
#pragma once

#include "driver/table.h"

namespace hiplab::driver::rocm_provider {

// Puts the guards in front of the table's functions. For one table of a process.
//
// hipblasLtCreate calls exit(1) when there is no device (Debian's hipBLASLt 1.1.0 with no GPU), so
// it is only reached after hipGetDeviceCount gave success and at least one; else the caller gets
// HIPBLAS_STATUS_NOT_INITIALIZED. rocblas_create_handle needs none: it returns a status.
// rocblas_initialize, which aborts, is not in the table.
//
// hiprtcCompileProgram ends the process on an architecture that it does not know (HIP 6.4), so it
// is only reached when the options name one or more and all are known (hiprtc_arch.h); else the
// caller gets HIPRTC_ERROR_INVALID_OPTION.
//
// hiprtc reads through a program that is null when it is to compile it, or is asked for its log,
// its code or their sizes (HIP 6.4, measured: SIGSEGV); the caller gets
// HIPRTC_ERROR_INVALID_PROGRAM. The other functions of the libraries answer null handles with a
// status (measured).
//
// Not guarded, and known to end the process (HIP 6.4, measured): options for the compiler's own
// developers (-mllvm with what LLVM does not know, -ftime-report), and a source of 100,000 nested
// parentheses.
void guard(Table& table);

}  // namespace hiplab::driver::rocm_provider
