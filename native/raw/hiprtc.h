// hiprtc's functions as raw calls (raw/declare.h).
#pragma once

#include "driver/function_lists.h"
#include "driver/hiprtc_types.h"
#include "raw/declare.h"
#ifndef HIPLAB_PARSER
#include <cstddef>
#endif

namespace hiplab::rocm {

HIPLAB_HIPRTC_FUNCTIONS(HIPLAB_RAW_DECLARE)

}  // namespace hiplab::rocm
