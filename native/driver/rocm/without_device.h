// ROCm's libraries where there is no device: what raw calls reach when driver rocm is insisted on.
#pragma once

#include "driver/rocm/rocm_provider.h"

namespace hiplab::driver::rocm_provider {

// A provider without devices, over every function that ROCm's libraries have; the others are null,
// whole libraries among them. Behind the guards, whose hipblasLtCreate is not reached without a
// device. Null with a reason when libamdhip64 does not load: the other libraries need it.
Verdict without_device(const Places& places);

// The same with the environment's places. What was opened stays open and is given again.
Verdict without_device();

}  // namespace hiplab::driver::rocm_provider
