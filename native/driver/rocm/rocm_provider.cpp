#include "driver/rocm/rocm_provider.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "driver/rocm/functions.h"
#include "driver/rocm/guards.h"
#include "driver/rocm/kernel_folder.h"
#include "driver/rocm/libraries.h"
#include "driver/rocm/reasons.h"
#include "driver/rocm/solutions.h"
#include "driver/rocm/version.h"

namespace hiplab::driver::rocm_provider {
namespace {

void add(std::string& reasons, const std::string& reason) {
  reasons += (reasons.empty() ? "" : "; ") + reason;
}

// What stands in the way, in order. The first obstacle, and what a library lacks, are `brief` too.
Verdict refused(const std::vector<Reason>& reasons) {
  Verdict verdict;
  for (const Reason& reason : reasons) {
    add(verdict.reason, reason.text());
    add(verdict.brief, reason.what);
  }
  return verdict;
}

using Take = std::string (*)(void*, Table&);

// An optional library: its path as its version when it is there and whole.
bool take_optional(const char* name, const LibraryName& library, Take take, const Places& places,
                   Table& table, Provider& provider, std::string& lacking) {
  const Loaded loaded = load(library, places.root);
  if (loaded.handle == nullptr) {
    add(lacking, std::string("no ") + name);
    return false;
  }
  const std::string missing = take(loaded.handle, table);
  if (!missing.empty()) {
    add(lacking, std::string("no ") + name + " (" + loaded.path + " lacks " + missing + ")");
    return false;
  }
  provider.versions[std::string(name) + ".library"] = loaded.path;
  return true;
}

// Tells of a BLAS library that has no kernels for one of the devices, and what comes of it. Whether
// it has them for all, as far as its files say.
bool has_kernels(const char* name, const Table& table, const Provider& provider, const char* so,
                 std::string& lacking) {
  const KernelFolder kernels =
      kernels_beside(provider.versions.at(std::string(name) + ".library"), name);
  for (int i = 0; i < provider.device_count; ++i) {
    hipDeviceProp_tR0600 prop{};
    if (table.hipGetDevicePropertiesR0600(&prop, i) != hipSuccess) return true;
    const std::string arch = base_arch(prop.gcnArchName);
    if (!kernels.lacks(arch)) continue;
    add(lacking,
        std::string(name) + " has no kernels for " + arch + " (" + kernels.folder + ")" + so);
    return false;
  }
  return true;
}

Verdict open_provider(std::unique_ptr<Table> table, const std::string& path, int devices,
                      const Places& places) {
  auto provider = std::make_unique<Provider>();
  provider->name = "rocm";
  provider->device_count = devices;
  provider->versions["hip.library"] = path;
  int version = 0;
  if (table->hipRuntimeGetVersion(&version) == hipSuccess) {
    provider->versions["hip"] = std::to_string(version);
  }
  std::string lacking;
  Table& t = *table;
  Provider& p = *provider;
  take_optional("hiprtc", hiprtc_library(), take_hiprtc, places, t, p, lacking);
  p.has_rocblas = take_optional("rocblas", rocblas_library(), take_rocblas, places, t, p, lacking);
  p.has_hipblaslt =
      take_optional("hipblaslt", hipblaslt_library(), take_hipblaslt, places, t, p, lacking);
  if (p.has_hipblaslt) {
    p.solutions = take_solutions(load(hipblaslt_library(), places.root).handle);
  }
  if (p.has_rocblas) {
    const std::string told = rocblas_version(t);
    p.versions["rocblas"] = told.empty() ? "unknown" : told;
  }
  // rocBLAS ends the process on a device that it has no kernels for (rocBLAS 1339); hipBLASLt's
  // heuristic finds no algorithm there.
  if (p.has_rocblas) {
    p.has_rocblas = has_kernels("rocblas", t, p, ", so it is left out", lacking);
  }
  if (p.has_hipblaslt) (void)has_kernels("hipblaslt", t, p, "", lacking);
  guard(t);

  hipDeviceProp_tR0600 prop{};
  const std::string first = t.hipGetDevicePropertiesR0600(&prop, 0) == hipSuccess
                                ? std::string(prop.name) + " (" + prop.gcnArchName + ")"
                                : "a device";
  p.detail = "ROCm, " + std::to_string(devices) + (devices == 1 ? " device, " : " devices, ") +
             first + (lacking.empty() ? "" : ", " + lacking);
  p.table = table.release();  // leaked: see Provider
  Verdict verdict{provider.release(), "", ""};
  verdict.reason =
      "it has " + std::to_string(devices) + (devices == 1 ? " device" : " devices") + ": " + first;
  return verdict;
}

}  // namespace

Places places_of_environment() {
  Places places;
  if (const char* root = std::getenv("HIPLAB_ROCM_PATH")) places.root = root;
  return places;
}

Verdict look(const Places& places, Depth depth) {
  std::vector<Reason> reasons;
  if (const Reason node = kfd_reason(places, depth)) reasons.push_back(node);
  if (!reasons.empty() && depth == Depth::quick) return refused(reasons);

  const Loaded hip = load(hip_library(), places.root);
  if (hip.handle == nullptr) {
    reasons.push_back(library_reason(hip_library(), hip));
    return refused(reasons);
  }
  auto table = std::make_unique<Table>();
  const std::string missing = take_hip(hip.handle, *table);
  if (!missing.empty()) {
    reasons.push_back(lacking_reason(hip_library(), hip, missing));
    return refused(reasons);
  }
  if (!reasons.empty()) return refused(reasons);

  int devices = 0;
  const hipError_t status = table->hipGetDeviceCount(&devices);
  if (status != hipSuccess && status != hipErrorNoDevice) {
    return refused({{"hipGetDeviceCount failed with " + std::to_string(status) + " (" +
                         table->hipGetErrorName(status) + ")",
                     ""}});
  }
  if (status == hipErrorNoDevice || devices < 1) {
    return refused({no_device_reason(places, hip.path)});
  }
  return open_provider(std::move(table), hip.path, devices, places);
}

Verdict look(Depth depth) {
  static std::mutex mutex;
  static Verdict* opened = nullptr;  // leaked
  std::lock_guard lock(mutex);
  if (opened != nullptr) return *opened;
  const Verdict verdict = look(places_of_environment(), depth);
  if (verdict.provider != nullptr) opened = new Verdict(verdict);
  return verdict;
}

}  // namespace hiplab::driver::rocm_provider
