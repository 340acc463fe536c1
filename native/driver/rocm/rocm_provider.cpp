#include "driver/rocm/rocm_provider.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>

#include "driver/rocm/guards.h"
#include "driver/rocm/libraries.h"

namespace hiplab::driver::rocm_provider {
namespace {

namespace fs = std::filesystem;

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

// Each returns the names that the library lacks; "" when it is whole.
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

// "" when the compute driver's node can be opened.
std::string node_trouble(const Places& places) {
  std::error_code ignored;
  if (!fs::exists(places.kfd, ignored)) {
    if (fs::exists(places.dxg, ignored)) return "";
    return "no " + places.kfd +
           " (the amdgpu kernel driver is not loaded, or not passed into this "
           "container)";
  }
  const int node = open(places.kfd.c_str(), O_RDWR | O_CLOEXEC);
  if (node >= 0) {
    close(node);
    return "";
  }
  if (errno == EACCES || errno == EPERM) {
    return "no permission to open " + places.kfd +
           " (add this user to the group that owns it, usually render)";
  }
  return "cannot open " + places.kfd + " (" + std::strerror(errno) + ")";
}

void add(std::string& reasons, const std::string& reason) {
  reasons += (reasons.empty() ? "" : "; ") + reason;
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

std::string rocblas_version(const Table& table) {
  size_t length = 0;
  if (table.rocblas_get_version_string_size(&length) != rocblas_status_success) return "unknown";
  std::string text(length, '\0');
  if (table.rocblas_get_version_string(text.data(), length) != rocblas_status_success) {
    return "unknown";
  }
  return text.c_str();
}

// gfx11's matrix instructions do not add opposite-sign terms the IEEE way (mlxcel 2206).
bool adds_ieee(const Table& table, int devices) {
  for (int i = 0; i < devices; ++i) {
    hipDeviceProp_tR0600 prop{};
    if (table.hipGetDevicePropertiesR0600(&prop, i) != hipSuccess) return false;
    if (std::strncmp(prop.gcnArchName, "gfx11", 5) == 0) return false;
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
  if (p.has_rocblas) p.versions["rocblas"] = rocblas_version(t);
  guard(t);
  p.adds_ieee = adds_ieee(t, devices);

  hipDeviceProp_tR0600 prop{};
  const std::string first = t.hipGetDevicePropertiesR0600(&prop, 0) == hipSuccess
                                ? std::string(prop.name) + " (" + prop.gcnArchName + ")"
                                : "a device";
  p.detail = "ROCm, " + std::to_string(devices) + (devices == 1 ? " device, " : " devices, ") +
             first + (lacking.empty() ? "" : ", " + lacking);
  p.table = table.release();  // leaked: see Provider
  Verdict verdict{provider.release(), ""};
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
  std::string reasons = node_trouble(places);
  if (!reasons.empty() && depth == Depth::quick) return {nullptr, reasons};

  const Loaded hip = load(hip_library(), places.root);
  if (hip.handle == nullptr) {
    add(reasons, "libamdhip64 not found (tried " + hip.tried + ")");
    return {nullptr, reasons};
  }
  auto table = std::make_unique<Table>();
  const std::string missing = take_hip(hip.handle, *table);
  if (!missing.empty()) {
    add(reasons, hip.path + " lacks " + missing + " (HIP 6 or newer is needed)");
    return {nullptr, reasons};
  }
  if (!reasons.empty()) return {nullptr, reasons};

  int devices = 0;
  const hipError_t status = table->hipGetDeviceCount(&devices);
  if (status != hipSuccess && status != hipErrorNoDevice) {
    return {nullptr, "hipGetDeviceCount failed with " + std::to_string(status) + " (" +
                         table->hipGetErrorName(status) + ")"};
  }
  if (status == hipErrorNoDevice || devices < 1) {
    return {nullptr, "HIP finds no device (hipGetDeviceCount gives " + std::to_string(status) +
                         " and 0; HIP_VISIBLE_DEVICES or ROCR_VISIBLE_DEVICES may hide it)"};
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
