#include "driver/rocm/solutions.h"

#include <dlfcn.h>

namespace hiplab::driver::rocm_provider {
namespace {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

// hipblaslt_ext::getIndexFromAlgo(hipblasLtMatmulAlgo_t&), whose type is a typedef of
// _hipblasLtMatmulAlgo_t.
constexpr char kIndex[] = "_ZN13hipblaslt_ext16getIndexFromAlgoER22_hipblasLtMatmulAlgo_t";

// hipblaslt_ext::getSolutionNameFromAlgo(hipblasLtHandle_t, hipblasLtMatmulAlgo_t&). The tag says
// that the string is libstdc++'s present one, as ours is.
constexpr char kName[] =
    "_ZN13hipblaslt_ext23getSolutionNameFromAlgoB5cxx11EPvR22_hipblasLtMatmulAlgo_t";

}  // namespace

Solutions take_solutions(void* library) {
  Solutions solutions;
  using Index = int (*)(hipblasLtMatmulAlgo_t&);
  if (const auto index = reinterpret_cast<Index>(dlsym(library, kIndex))) {
    // By a copy: the library takes it as one that it may write.
    solutions.index = [index](hipblasLtMatmulAlgo_t algo) { return index(algo); };
  }
  using Name = std::string (*)(hipblasLtHandle_t, hipblasLtMatmulAlgo_t&);
  if (const auto name = reinterpret_cast<Name>(dlsym(library, kName))) {
    solutions.name = [name](hipblasLtHandle_t handle, hipblasLtMatmulAlgo_t algo) {
      return name(handle, algo);
    };
  }
  return solutions;
}

}  // namespace hiplab::driver::rocm_provider
