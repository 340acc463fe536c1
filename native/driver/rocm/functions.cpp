#include "driver/rocm/functions.h"

#include <dlfcn.h>

namespace hiplab::driver::rocm_provider {
namespace {

// Takes one function of a library; false when the library lacks it.
template <typename F>
bool take(void* library, const char* name, F*& member, std::string& missing) {
  member = reinterpret_cast<F*>(dlsym(library, name));
  if (member != nullptr) return true;
  missing += (missing.empty() ? "" : ", ") + std::string(name);
  return false;
}

#define HIPLAB_TAKE(ret, name, params, args) take(library, #name, table.name, missing);
#define HIPLAB_DROP(ret, name, params, args) table.name = nullptr;

}  // namespace

std::string take_hip(void* library, Table& table) {
  std::string missing;
  HIPLAB_HIP_FUNCTIONS(HIPLAB_TAKE)
  return missing;
}
std::string take_hiprtc(void* library, Table& table) {
  std::string missing;
  HIPLAB_HIPRTC_FUNCTIONS(HIPLAB_TAKE)
  if (!missing.empty()) {
    HIPLAB_HIPRTC_FUNCTIONS(HIPLAB_DROP)
  }
  return missing;
}
std::string take_rocblas(void* library, Table& table) {
  std::string missing;
  HIPLAB_ROCBLAS_FUNCTIONS(HIPLAB_TAKE)
  if (!missing.empty()) {
    HIPLAB_ROCBLAS_FUNCTIONS(HIPLAB_DROP)
  }
  return missing;
}
std::string take_hipblaslt(void* library, Table& table) {
  std::string missing;
  HIPLAB_HIPBLASLT_FUNCTIONS(HIPLAB_TAKE)
  if (!missing.empty()) {
    HIPLAB_HIPBLASLT_FUNCTIONS(HIPLAB_DROP)
  }
  return missing;
}
#undef HIPLAB_TAKE
#undef HIPLAB_DROP

}  // namespace hiplab::driver::rocm_provider
