#include "driver/rocm/guards.h"

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "driver/hiprtc_arch.h"

namespace hiplab::driver::rocm_provider {
namespace {

// C functions carry no state: what the guards call. Written once, before the table is handed out.
decltype(Table::hipGetDeviceCount) device_count = nullptr;
decltype(Table::hipblasLtCreate) blaslt_create = nullptr;
decltype(Table::hiprtcCompileProgram) hiprtc_compile = nullptr;

hipblasStatus_t guarded_blaslt_create(hipblasLtHandle_t* handle) {
  int devices = 0;
  if (device_count(&devices) != hipSuccess || devices < 1) return HIPBLAS_STATUS_NOT_INITIALIZED;
  return blaslt_create(handle);
}

// Each architecture among the options must be known, and there must be one: without, hiprtc takes
// what it finds.
bool architectures_known(int count, const char** options) {
  bool any = false;
  for (int i = 0; i < count && options != nullptr; ++i) {
    if (options[i] == nullptr) return false;
    const std::string_view option(options[i]);
    for (const std::string_view name : {"--offload-arch=", "--gpu-architecture="}) {
      if (!option.starts_with(name)) continue;
      if (!is_amd_target(std::string(option.substr(name.size())))) return false;
      any = true;
    }
  }
  return any;
}

hiprtcResult guarded_compile(hiprtcProgram program, int count, const char** options) {
  if (program == nullptr) return HIPRTC_ERROR_INVALID_PROGRAM;
  if (!architectures_known(count, options)) return HIPRTC_ERROR_INVALID_OPTION;
  return hiprtc_compile(program, count, options);
}

// hiprtc's `member`, not reached without a program.
template <auto member>
struct WithProgram {
  using Function = std::remove_reference_t<decltype(std::declval<Table&>().*member)>;
  static inline Function real = nullptr;

  template <typename Out>
  static hiprtcResult call(hiprtcProgram program, Out* out) {
    return program == nullptr ? HIPRTC_ERROR_INVALID_PROGRAM : real(program, out);
  }
  static void put(Table& table) {
    const Function guarded = call;
    if (table.*member == nullptr || table.*member == guarded) return;
    real = table.*member;
    table.*member = guarded;
  }
};

}  // namespace

void guard(Table& table) {
  if (table.hipblasLtCreate != nullptr && table.hipblasLtCreate != guarded_blaslt_create) {
    device_count = table.hipGetDeviceCount;
    blaslt_create = table.hipblasLtCreate;
    table.hipblasLtCreate = guarded_blaslt_create;
  }
  if (table.hiprtcCompileProgram != nullptr && table.hiprtcCompileProgram != guarded_compile) {
    hiprtc_compile = table.hiprtcCompileProgram;
    table.hiprtcCompileProgram = guarded_compile;
  }
  WithProgram<&Table::hiprtcGetProgramLogSize>::put(table);
  WithProgram<&Table::hiprtcGetProgramLog>::put(table);
  WithProgram<&Table::hiprtcGetCodeSize>::put(table);
  WithProgram<&Table::hiprtcGetCode>::put(table);
}

}  // namespace hiplab::driver::rocm_provider
