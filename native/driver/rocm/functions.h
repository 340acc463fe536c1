// The table's functions out of ROCm's libraries.
#pragma once

#include <string>

#include "driver/table.h"

namespace hiplab::driver::rocm_provider {

// Each takes the functions of its library, a handle of dlopen, and returns the names that it lacks,
// with commas; "" when it is whole. Of hiprtc, rocBLAS and hipBLASLt all are taken or none.
std::string take_hip(void* library, Table& table);
std::string take_hiprtc(void* library, Table& table);
std::string take_rocblas(void* library, Table& table);
std::string take_hipblaslt(void* library, Table& table);

}  // namespace hiplab::driver::rocm_provider
