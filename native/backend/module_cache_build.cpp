#include "backend/module_cache_build.h"

#include <utility>
#include <vector>

#include "backend/device_guard.h"
#include "backend/kernel_compile.h"
#include "sync/point.h"

namespace hiplab::backend {

BuiltModule build_module(const Context& context, const Device& device,
                         const KernelProgram& program) {
  const CompileTarget target{context.provider, device.info().arch, device.index()};
  check_target(target);
  const Table& api = context.api();
  const Where where{device.index()};
  const DeviceGuard current(api, device.index());
  HIPLAB_POINT("modulecache.compile.begin");
  const std::vector<char> code = compile_program(target, program);
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
