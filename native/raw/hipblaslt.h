// hipBLASLt's functions as raw calls (raw/declare.h).
#pragma once

#include "driver/function_lists.h"
#include "driver/hipblaslt_types.h"
#include "raw/declare.h"
#ifndef HIPLAB_PARSER
#include "driver/hip_types.h"  // hipStream_t
#endif

namespace hiplab::rocm {

HIPLAB_HIPBLASLT_FUNCTIONS(HIPLAB_RAW_DECLARE)

}  // namespace hiplab::rocm
