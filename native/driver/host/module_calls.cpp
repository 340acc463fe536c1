// HIP's module calls on the software device.
//
// A kernel here is native code: it runs in this process, on the thread of its stream, with no more
// protection than any function of the program.
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <vector>

#include "driver/host/machine.h"
#include "driver/host/module.h"
#include "driver/host/module_code.h"
#include "driver/host/submit.h"
#include "driver/host/tables.h"

namespace hiplab::driver::host {
namespace {

constexpr std::uint64_t kMostThreadsInBlock = 1024;  // as hipDeviceProp_t tells
constexpr std::size_t kAlignment = 16;

hipError_t load_data(hipModule_t* module, const void* image) {
  if (module == nullptr || image == nullptr) return hipErrorInvalidValue;
  try {
    ModuleCode code;
    if (!unpack_code(image, code)) return hipErrorInvalidImage;
    if (code.arch != machine().profile().arch) return hipErrorNoBinaryForGpu;
    *module = modules().add(std::make_shared<ModuleImage>(code.object), Machine::current_device());
    return hipSuccess;
  } catch (const std::bad_alloc&) {
    return hipErrorOutOfMemory;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hiplab: a module cannot be loaded: %s\n", error.what());
    return hipErrorInvalidImage;
  }
}

hipError_t get_function(hipFunction_t* function, hipModule_t module, const char* name) {
  if (function == nullptr || name == nullptr) return hipErrorInvalidValue;
  try {
    return modules().function(module, name, *function);
  } catch (const std::bad_alloc&) {
    return hipErrorOutOfMemory;
  }
}

// A launch as it is queued or captured: the parameters are those of the call, whatever the caller
// does with them afterwards, and the code stays loaded. A graph runs it many times, also at once,
// so running it changes nothing.
struct Launch {
  std::shared_ptr<const ihipModuleSymbol_t> function;
  unsigned extent[6];  // grid x, y, z, block x, y, z
  std::vector<std::max_align_t> bytes;
  std::vector<void*> params;

  // False when there are fewer parameters than the kernel takes, as far as a null tells.
  bool copy_params(void** from) {
    const KernelEntry& kernel = *function->entry;
    std::size_t room = 0;
    for (unsigned i = 0; i < kernel.parameters; ++i) room += rounded(kernel.bytes[i]);
    bytes.resize(room / sizeof(std::max_align_t) + 1);
    auto* to = reinterpret_cast<std::byte*>(bytes.data());
    for (unsigned i = 0; i < kernel.parameters; ++i) {
      if (from == nullptr || from[i] == nullptr) return false;
      std::memcpy(to, from[i], kernel.bytes[i]);
      params.push_back(to);
      to += rounded(kernel.bytes[i]);
    }
    return true;
  }

  static std::size_t rounded(std::size_t n) {
    return (n + kAlignment - 1) / kAlignment * kAlignment;
  }
};
static_assert(alignof(std::max_align_t) == kAlignment);

bool extent_valid(const unsigned* extent) {
  std::uint64_t threads = 1;
  for (int i = 0; i < 6; ++i) {
    if (extent[i] == 0) return false;
    // Cannot overflow: 1024 x 2^32 at most before it is refused.
    if (i >= 3 && (threads *= extent[i]) > kMostThreadsInBlock) return false;
  }
  // A grid may have at most 2^32 - 1 threads along each axis (HIP documentation).
  for (int i = 0; i < 3; ++i) {
    if (std::uint64_t{extent[i]} * extent[i + 3] > 0xffffffffu) return false;
  }
  return true;
}

hipError_t launch_kernel(hipFunction_t handle, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                         unsigned block_x, unsigned block_y, unsigned block_z,
                         unsigned shared_bytes, hipStream_t stream, void** params, void** extra) {
  try {
    const auto function = modules().find(handle);
    // Assumed: HIP documents no status for a function whose module is gone.
    if (function == nullptr) return hipErrorInvalidHandle;
    if (params != nullptr && extra != nullptr) return hipErrorInvalidValue;
    const unsigned extent[6] = {grid_x, grid_y, grid_z, block_x, block_y, block_z};
    if (!extent_valid(extent)) return hipErrorInvalidConfiguration;
    // Kernels without shared memory are what the device honours; packed arguments it does not take.
    if (shared_bytes > 0 || extra != nullptr) return hipErrorNotSupported;
    const auto launch = std::make_shared<Launch>();
    launch->function = function;
    std::memcpy(launch->extent, extent, sizeof extent);
    if (!launch->copy_params(params)) return hipErrorInvalidValue;
    return submit(stream, function->device, [launch = std::shared_ptr<const Launch>(launch)] {
      launch->function->entry->run(launch->extent, launch->params.data());
    });
  } catch (const std::bad_alloc&) {
    return hipErrorOutOfMemory;
  }
}

// Returns at once; kernels in flight keep the code (assumed: HIP documents no wait, and its own
// commands hold a reference to what they run).
hipError_t unload(hipModule_t module) {
  return modules().remove(module) ? hipSuccess : hipErrorInvalidHandle;
}

}  // namespace

void fill_modules(Table& t) {
  t.hipModuleLoadData = load_data;
  t.hipModuleGetFunction = get_function;
  t.hipModuleLaunchKernel = launch_kernel;
  t.hipModuleUnload = unload;
}

}  // namespace hiplab::driver::host
