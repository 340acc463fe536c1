// hiprtc's C types, of those in use: see rocm_types.h.
#pragma once

namespace hiplab::rocm {

enum hiprtcResult : int {
  HIPRTC_SUCCESS = 0,
  HIPRTC_ERROR_OUT_OF_MEMORY = 1,
  HIPRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  HIPRTC_ERROR_INVALID_INPUT = 3,
  HIPRTC_ERROR_INVALID_PROGRAM = 4,
  HIPRTC_ERROR_INVALID_OPTION = 5,
  HIPRTC_ERROR_COMPILATION = 6,
  HIPRTC_ERROR_INTERNAL_ERROR = 11,
};

struct _hiprtcProgram;
using hiprtcProgram = _hiprtcProgram*;

}  // namespace hiplab::rocm
