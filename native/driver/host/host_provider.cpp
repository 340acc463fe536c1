#include "driver/host/host_provider.h"

#include "driver/error.h"
#include "driver/host/blaslt.h"
#include "driver/host/machine.h"
#include "driver/host/profile.h"
#include "driver/host/tables.h"

namespace hiplab::driver::host {

const Provider& open_host(const std::string& profile_name, int devices, const std::string& arch) {
  const Profile* profile = find_profile(profile_name);
  if (profile == nullptr) throw Error("there is no profile \"" + profile_name + "\"");
  if (!arch.empty()) {
    auto* const renamed = new Profile(*profile);  // leaked with the machine
    renamed->arch = arch;
    profile = renamed;
  }
  open_machine(*profile, devices);

  // Leaked with the machine: references to a provider stay valid.
  auto* table = new Table;
  fill_devices(*table);
  fill_memory(*table);
  fill_host_memory(*table);
  fill_memory_pool(*table);
  fill_streams(*table);
  fill_events(*table);
  fill_callbacks(*table);
  fill_captures(*table);
  fill_graphs(*table);
  fill_rocblas(*table);
  fill_blaslt_objects(*table);
  fill_blaslt_gemm(*table);
  fill_hiprtc(*table);
  fill_modules(*table);
  fill_doors(*table);

  auto* provider = new Provider;
  provider->name = "host";
  provider->detail = "software device, profile " + profile->name + ", " + std::to_string(devices) +
                     (devices == 1 ? " device" : " devices") +
                     (arch.empty() ? "" : ", architecture " + arch);
  provider->table = table;
  provider->device_count = devices;
  provider->has_rocblas = true;
  provider->has_hipblaslt = true;
  provider->solutions = {solution_index, solution_name};
  int hip = 0;
  table->hipRuntimeGetVersion(&hip);
  provider->versions["hip"] = std::to_string(hip);
  char rocblas[64] = {};
  table->rocblas_get_version_string(rocblas, sizeof rocblas);
  provider->versions["rocblas"] = rocblas;
  provider->versions["hipblaslt"] = "100100";
  return *provider;
}

}  // namespace hiplab::driver::host
