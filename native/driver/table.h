// The driver table: every ROCm C function that hiplab calls, as a function pointer.
//
// Backend code calls ROCm only through this table, so that providers (rocm, host, later cuda) and
// wrappers (call counts, injected failures, traces) can be put under it without a change above.
#pragma once

#include "driver/function_lists.h"
#include "driver/rocm_types.h"

namespace hiplab::driver {

using namespace hiplab::rocm;  // NOLINT: the table is written in ROCm's own names

// A plain struct of function pointers. A member may be null only when its library is missing:
// `Provider` says which libraries are there; the backend asks before it uses a route.
struct Table {
#define HIPLAB_MEMBER(ret, name, params, args) ret(*name) params = nullptr;
  HIPLAB_DRIVER_FUNCTIONS(HIPLAB_MEMBER)
#undef HIPLAB_MEMBER
};

}  // namespace hiplab::driver
