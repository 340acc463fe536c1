#include "driver/rocm/without_device.h"

#include <dlfcn.h>

#include <memory>
#include <mutex>

#include "driver/rocm/guards.h"
#include "driver/rocm/libraries.h"
#include "driver/rocm/reasons.h"

namespace hiplab::driver::rocm_provider {

Verdict without_device(const Places& places) {
  const Loaded hip = load(hip_library(), places.root);
  if (hip.handle == nullptr) {
    const Reason reason = library_reason(hip_library(), hip);
    return {nullptr, reason.text(), reason.what};
  }
  auto provider = std::make_unique<Provider>();
  provider->name = "rocm";
  provider->detail = "ROCm's libraries without a device";
  auto table = std::make_unique<Table>();
  const auto open = [&](const char* name, const LibraryName& library) {
    const Loaded loaded = load(library, places.root);
    if (loaded.handle != nullptr) {
      provider->versions[std::string(name) + ".library"] = loaded.path;
    } else {
      provider->detail += std::string(", no ") + name;
    }
    return loaded.handle;
  };
#define HIPLAB_TAKE(ret, name, params, args) \
  if (library != nullptr) table->name = reinterpret_cast<ret(*) params>(dlsym(library, #name));
  void* library = hip.handle;
  provider->versions["hip.library"] = hip.path;
  HIPLAB_HIP_FUNCTIONS(HIPLAB_TAKE)
  library = open("hiprtc", hiprtc_library());
  HIPLAB_HIPRTC_FUNCTIONS(HIPLAB_TAKE)
  library = open("rocblas", rocblas_library());
  HIPLAB_ROCBLAS_FUNCTIONS(HIPLAB_TAKE)
  library = open("hipblaslt", hipblaslt_library());
  HIPLAB_HIPBLASLT_FUNCTIONS(HIPLAB_TAKE)
#undef HIPLAB_TAKE
  if (table->hipGetDeviceCount == nullptr) {
    const Reason reason = lacking_reason(hip_library(), hip, "hipGetDeviceCount");
    return {nullptr, reason.text(), reason.what};
  }
  provider->has_rocblas = table->rocblas_create_handle != nullptr;
  provider->has_hipblaslt = table->hipblasLtCreate != nullptr;
  guard(*table);
  provider->table = table.release();  // leaked: see Provider
  return {provider.release(), "libamdhip64 is " + hip.path, ""};
}

Verdict without_device() {
  static std::mutex mutex;
  static Verdict* opened = nullptr;  // leaked
  const std::lock_guard lock(mutex);
  if (opened != nullptr) return *opened;
  const Verdict verdict = without_device(places_of_environment());
  if (verdict.provider != nullptr) opened = new Verdict(verdict);
  return verdict;
}

}  // namespace hiplab::driver::rocm_provider
