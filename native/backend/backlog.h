// How many abandoned streams may be draining at once (MIOpen 12265).
#pragma once

namespace hiplab::backend {

// The backlog cap for a value of GPU_MAX_HW_QUEUES: the value - 2, at least 1, so that an
// evaluation does not share a hardware queue with runaway kernels and time them. Null (unset), no
// whole number, or a number that is not positive counts as HIP's default of 4.
int max_draining_for(const char* gpu_max_hw_queues);

// Of this process's GPU_MAX_HW_QUEUES, which is read once.
int default_max_draining();

}  // namespace hiplab::backend
