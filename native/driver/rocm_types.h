// ROCm's C types, as this project declares them: ROCm's own names, layouts and values.
//
// No ROCm SDK is needed to build. Read off the headers of HIP 6.4, rocBLAS 4.4 and hipBLASLt 1.1;
// kept in a namespace so that a build with the real headers at hand can compare both. JavaCPP's
// parser reads these headers too (raw/hip.h says how), so that Java has the same values.
#pragma once

#include "driver/hip_types.h"
#include "driver/hipblaslt_types.h"
#include "driver/hiprtc_types.h"
#include "driver/rocblas_types.h"
