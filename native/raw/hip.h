// The HIP runtime's functions as raw calls (raw/declare.h).
#pragma once

#include "driver/function_lists.h"
#include "driver/hip_types.h"
#include "raw/declare.h"

namespace hiplab::rocm {

HIPLAB_HIP_FUNCTIONS(HIPLAB_RAW_DECLARE)

}  // namespace hiplab::rocm
