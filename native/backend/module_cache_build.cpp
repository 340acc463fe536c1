#include "backend/module_cache_build.h"

#include <utility>
#include <vector>

#include "backend/device_guard.h"
#include "driver/hiprtc_arch.h"
#include "sync/point.h"

namespace hiplab::backend {
namespace {

// hiprtc's destroy takes the handle's address, unlike the others.
class OwnedProgram {
 public:
  OwnedProgram(const Table& api, hiprtcProgram program) : api_(api), program_(program) {}
  ~OwnedProgram() { (void)api_.hiprtcDestroyProgram(&program_); }
  OwnedProgram(const OwnedProgram&) = delete;
  OwnedProgram& operator=(const OwnedProgram&) = delete;
  hiprtcProgram get() const { return program_; }

 private:
  const Table& api_;
  hiprtcProgram program_;
};

void check_target(const Context& context, const Device& device) {
  if (context.api().hiprtcCreateProgram == nullptr) {
    throw Error("kernels cannot be compiled: provider " + context.provider.name +
                " has no hiprtc; install its library (libhiprtc)");
  }
  const std::string& arch = device.info().arch;
  // A name that is no AMD target is a software device's own.
  const bool own = !arch.starts_with("gfx") && context.provider.name != "rocm";
  if (!own && !driver::is_amd_target(arch)) {
    throw Error("kernels cannot be compiled for device " + std::to_string(device.index()) +
                ": hiprtc does not know its architecture '" + arch +
                "'; allowed are the targets of ROCm 6.4, as gfx942, gfx1100 or gfx1151");
  }
}

std::string log_of(const Table& api, hiprtcProgram program) {
  size_t bytes = 0;
  if (!succeeded(api.hiprtcGetProgramLogSize(program, &bytes)) || bytes < 2) return "";
  std::string log(bytes, '\0');
  if (!succeeded(api.hiprtcGetProgramLog(program, log.data()))) return "";
  log.resize(bytes - 1);
  return log;
}

std::vector<char> compile(const Context& context, const Device& device,
                          const KernelProgram& source) {
  const Table& api = context.api();
  const Where where{device.index()};
  hiprtcProgram raw = nullptr;
  const std::string name = source.kernels().front() + ".hip";
  HIPLAB_CHECK(api, where, hiprtcCreateProgram, &raw, source.source().c_str(), name.c_str(), 0,
               nullptr, nullptr);
  const OwnedProgram program(api, raw);
  // Always with the architecture: without, hiprtc asks for the current device by itself.
  const std::string arch = "--offload-arch=" + device.info().arch;
  std::vector<const char*> options = {arch.c_str()};
  for (const std::string& option : source.options()) options.push_back(option.c_str());
  const hiprtcResult compiled =
      api.hiprtcCompileProgram(program.get(), static_cast<int>(options.size()), options.data());
  if (!succeeded(compiled)) {
    const Status named = status_of(api, compiled);
    throw Error("hiprtcCompileProgram failed on device " + std::to_string(where.device) + ": " +
                    named.text() + ", kernel '" + source.kernels().front() +
                    "': " + log_of(api, program.get()),
                FailedCall{"hiprtcCompileProgram", named.number, named.name});
  }
  size_t bytes = 0;
  HIPLAB_CHECK(api, where, hiprtcGetCodeSize, program.get(), &bytes);
  std::vector<char> code(bytes);
  HIPLAB_CHECK(api, where, hiprtcGetCode, program.get(), code.data());
  return code;
}

}  // namespace

BuiltModule build_module(const Context& context, const Device& device,
                         const KernelProgram& program) {
  check_target(context, device);
  const Table& api = context.api();
  const Where where{device.index()};
  const DeviceGuard current(api, device.index());
  HIPLAB_POINT("modulecache.compile.begin");
  const std::vector<char> code = compile(context, device, program);
  HIPLAB_POINT("modulecache.compile.end");
  hipModule_t raw = nullptr;
  HIPLAB_CHECK(api, where, hipModuleLoadData, &raw, code.data());
  BuiltModule built{OwnedModule(api, raw), {}};
  for (const std::string& name : program.kernels()) {
    ModuleKernel kernel;
    const hipError_t found = api.hipModuleGetFunction(&kernel.function, raw, name.c_str());
    if (found == hipErrorNotFound) {
      const Status named = status_of(api, found);
      throw Error("hipModuleGetFunction failed on device " + std::to_string(where.device) + ": " +
                      named.text() + ", there is no kernel '" + name +
                      "': declare it extern \"C\" __global__",
                  FailedCall{"hipModuleGetFunction", named.number, named.name});
    }
    check(api, found, "hipModuleGetFunction", where);
    built.kernels.emplace(name, kernel);
  }
  ++context.counters.handles_modules;
  return built;
}

std::string module_key(const Device& device, const KernelProgram& program) {
  return std::to_string(device.index()) + ":" + program.key();
}

}  // namespace hiplab::backend
