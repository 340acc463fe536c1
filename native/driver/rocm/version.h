// Versions of ROCm's libraries, as they tell them or as their files are named.
#pragma once

#include <string>

#include "driver/table.h"

namespace hiplab::driver::rocm_provider {

// Each asks its library and is "" when that does not say. None of them needs a device.
std::string hip_version(const Table& table);
std::string hiprtc_version(const Table& table);
std::string rocblas_version(const Table& table);

// What follows ".so." in the file's name: "6.4.3" of libamdhip64.so.6.4.3; "" when nothing does.
std::string file_version(const std::string& path);

// The name that a loaded library gives itself (DT_SONAME); "" when it has none.
std::string soname_of(void* handle);

}  // namespace hiplab::driver::rocm_provider
