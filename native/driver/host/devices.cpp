// HIP's device calls on the software device.
#include <cstdio>

#include "driver/error_names.h"
#include "driver/host/machine.h"
#include "driver/host/refusal.h"
#include "driver/host/tables.h"

namespace hiplab::driver::host {
namespace {

bool valid_device(int device) { return device >= 0 && device < machine().device_count(); }

hipError_t get_device_count(int* count) {
  if (count == nullptr) return hipErrorInvalidValue;
  *count = machine().device_count();
  return hipSuccess;
}

hipError_t set_device(int device) {
  if (!valid_device(device)) return hipErrorInvalidDevice;
  Machine::current_device() = device;
  return hipSuccess;
}

hipError_t get_device(int* device) {
  if (device == nullptr) return hipErrorInvalidValue;
  *device = Machine::current_device();
  return hipSuccess;
}

hipError_t get_properties(hipDeviceProp_tR0600* prop, int device) {
  if (prop == nullptr) return hipErrorInvalidValue;
  if (!valid_device(device)) return hipErrorInvalidDevice;
  const Profile& profile = machine().profile();
  hipDeviceProp_tR0600 p = {};
  std::snprintf(p.name, sizeof p.name, "%s", profile.device_name.c_str());
  std::snprintf(p.gcnArchName, sizeof p.gcnArchName, "%s", profile.arch.c_str());
  p.totalGlobalMem = machine().memory().total(device);
  p.sharedMemPerBlock = 64 * 1024;
  p.warpSize = profile.warp_size.value;
  p.maxThreadsPerBlock = 1024;
  p.major = profile.major;
  p.minor = profile.minor;
  p.multiProcessorCount = profile.multiprocessors.value;
  p.integrated = 1;  // its memory is this machine's
  *prop = p;
  return hipSuccess;
}

// The version whose declarations this project follows: HIP 6.4 (HIP_VERSION of its headers).
hipError_t get_version(int* version) {
  if (version == nullptr) return hipErrorInvalidValue;
  *version = 60443484;
  return hipSuccess;
}

hipError_t device_synchronize() {
  if (const auto e = refused(Call::synchronize_device)) return e;
  const int device = Machine::current_device();
  const hipError_t result = machine().synchronize(device);
  if (result == hipSuccess) machine().memory().trim(device);
  return result;
}

// Waits and frees nothing: handles and blocks stay the caller's (assumed; HIP documentation says
// only that the device's state is reset). After a fault it does not mend the device (mlxcel 1804).
hipError_t device_reset() {
  if (const auto e = refused(Call::synchronize_device)) return e;
  return machine().synchronize(Machine::current_device());
}

}  // namespace

void fill_devices(Table& t) {
  t.hipGetDeviceCount = get_device_count;
  t.hipSetDevice = set_device;
  t.hipGetDevice = get_device;
  t.hipGetDevicePropertiesR0600 = get_properties;
  t.hipRuntimeGetVersion = get_version;
  t.hipDriverGetVersion = get_version;
  t.hipDeviceSynchronize = device_synchronize;
  t.hipDeviceReset = device_reset;
  t.hipGetErrorName = error_name;
  t.hipGetErrorString = error_string;
}

}  // namespace hiplab::driver::host
