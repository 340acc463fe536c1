#include "driver/rocm/inventory.h"

#include <filesystem>
#include <functional>
#include <map>

#include "driver/error.h"
#include "driver/listed.h"
#include "driver/rocm/device_node.h"
#include "driver/rocm/fact_lines.h"
#include "driver/rocm/functions.h"
#include "driver/rocm/kernel_folder.h"
#include "driver/rocm/libraries.h"
#include "driver/rocm/reasons.h"
#include "driver/rocm/topology.h"
#include "driver/rocm/version.h"

namespace hiplab::driver::rocm_provider {
namespace {

void put_node(FactLines& lines, const std::string& key, const DeviceNode& node) {
  lines.put(key + ".path", node.path);
  lines.put(key + ".there", node.there);
  if (!node.there) return;
  lines.put(key + ".opens", node.error == 0);
  lines.put(key + ".owner", node.owner);
  lines.put(key + ".group", node.group);
  lines.put(key + ".mode", octal(node.mode));
  lines.put(key + ".member", node.member);
  if (node.error != 0) lines.put(key, refusal(node));
}

std::string machine(const Places& places) {
  FactLines lines;
  lines.put("user", user_name());
  const DeviceNode kfd = look_at_node(places.kfd);
  put_node(lines, "kfd", kfd);
  if (!kfd.there) lines.put("kfd", kfd_reason(places, Depth::thorough));
  std::error_code ignored;
  lines.put("dxg.there", std::filesystem::exists(places.dxg, ignored));
  lines.put("render.folder", places.dri);
  int number = 0;
  for (const DeviceNode& node : render_nodes(places.dri)) {
    put_node(lines, "render." + std::to_string(number++), node);
  }
  const Topology topology = read_topology(places.topology);
  lines.put("topology.folder", places.topology);
  lines.put("topology.there", topology.there);
  lines.put("topology.nodes", topology.nodes);
  lines.put("topology.forbidden", topology.forbidden);
  number = 0;
  for (const TopologyGpu& gpu : topology.gpus) {
    const std::string key = "gpu." + std::to_string(number++);
    lines.put(key + ".node", gpu.node);
    lines.put(key + ".arch", gpu.arch);
    lines.put(key + ".simds", gpu.simds);
    lines.put(key + ".renderMinor", gpu.render_minor);
  }
  number = 0;
  for (const std::string& address : amd_gpus_on_bus(places.pci)) {
    lines.put("pci." + std::to_string(number++) + ".address", address);
  }
  return lines.text();
}

struct Part {
  std::string key;  // what its lines begin with
  const LibraryName& name;
  std::string (*take)(void*, Table&);
};

// Loads a library and takes its functions; tells why when one of the two does not work.
bool put_library(FactLines& lines, const Part& part, const Places& places, Table& table) {
  const Loaded loaded = load(part.name, places.root);
  lines.put(part.key + ".name", part.name.stem);
  lines.put(part.key + ".packages", part.name.packages);
  if (loaded.handle == nullptr) {
    lines.put(part.key + ".state", !loaded.words.empty() ? "broken"
                                   : !loaded.old.empty() ? "old"
                                                         : "missing");
    lines.put(part.key + ".tried", loaded.tried);
    lines.put(part.key, library_reason(part.name, loaded));
    return false;
  }
  const std::string missing = part.take(loaded.handle, table);
  lines.put(part.key + ".state", missing.empty() ? "whole" : "lacking");
  lines.put(part.key + ".path", loaded.path);
  lines.put(part.key + ".soname", soname_of(loaded.handle));
  lines.put(part.key + ".fileVersion", file_version(loaded.path));
  if (!missing.empty()) {
    lines.put(part.key + ".missing", missing);
    lines.put(part.key, lacking_reason(part.name, loaded, missing));
    return false;
  }
  return true;
}

// Why HIP has no device is only for it to say once the node opens.
void put_devices(FactLines& lines, const Table& table, const Places& places,
                 const std::string& path) {
  int devices = 0;
  const hipError_t status = table.hipGetDeviceCount(&devices);
  lines.put("hip.countStatus", static_cast<int>(status));
  lines.put("hip.devices", status == hipSuccess ? devices : 0);
  if (status != hipSuccess && status != hipErrorNoDevice) {
    lines.put("hip.device", Reason{"hipGetDeviceCount failed with " + std::to_string(status),
                                   "look for amdgpu in the kernel's messages (sudo dmesg)"});
  } else if (devices < 1 && kfd_reason(places, Depth::quick).what.empty()) {
    lines.put("hip.device", no_device_reason(places, path));
  }
  for (int i = 0; status == hipSuccess && i < devices; ++i) {
    hipDeviceProp_tR0600 prop{};
    if (table.hipGetDevicePropertiesR0600(&prop, i) != hipSuccess) continue;
    const std::string key = "device." + std::to_string(i);
    lines.put(key + ".name", std::string(prop.name));
    lines.put(key + ".arch", std::string(prop.gcnArchName));
  }
}

void put_kernels(FactLines& lines, const std::string& name, const Places& places) {
  const Loaded loaded =
      load(name == "rocblas" ? rocblas_library() : hipblaslt_library(), places.root);
  const KernelFolder kernels = kernels_beside(loaded.path, name);
  lines.put(name + ".kernels.folder", kernels.folder);
  lines.put(name + ".kernels.fromVariable", kernels.from_variable);
  lines.put(name + ".kernels.merged", kernels.merged);
  lines.put(name + ".kernels.archs", kernels.listed());
  for (const auto& [arch, files] : kernels.counts) {
    lines.put(name + ".kernels." + arch, files);
  }
}

std::string hip(const Places& places) {
  FactLines lines;
  Table table;
  if (!put_library(lines, {"hip", hip_library(), take_hip}, places, table)) return lines.text();
  lines.put("hip.version", hip_version(table));
  put_devices(lines, table, places, load(hip_library(), places.root).path);
  return lines.text();
}

std::string hiprtc(const Places& places) {
  FactLines lines;
  Table table;
  if (put_library(lines, {"hiprtc", hiprtc_library(), take_hiprtc}, places, table)) {
    lines.put("hiprtc.version", hiprtc_version(table));
  }
  return lines.text();
}

std::string rocblas(const Places& places) {
  FactLines lines;
  Table table;
  if (put_library(lines, {"rocblas", rocblas_library(), take_rocblas}, places, table)) {
    lines.put("rocblas.version", rocblas_version(table));
    put_kernels(lines, "rocblas", places);
  }
  return lines.text();
}

// Its version can only be asked for with a handle, which takes a device: the file name has it.
std::string hipblaslt(const Places& places) {
  FactLines lines;
  Table table;
  if (put_library(lines, {"hipblaslt", hipblaslt_library(), take_hipblaslt}, places, table)) {
    put_kernels(lines, "hipblaslt", places);
  }
  return lines.text();
}

std::string verdict(const Places& places) {
  FactLines lines;
  const Verdict verdict = look(places, Depth::thorough);
  lines.put("verdict.usable", verdict.provider != nullptr);
  lines.put("verdict.reason", verdict.reason);
  if (verdict.provider != nullptr) lines.put("verdict.detail", verdict.provider->detail);
  return lines.text();
}

}  // namespace

const std::vector<std::string>& inventory_parts() {
  static const auto* parts =
      new std::vector<std::string>{"machine", "hip", "hiprtc", "rocblas", "hipblaslt", "verdict"};
  return *parts;
}

std::string inventory(const std::string& part, const Places& places) {
  static const auto* all = new std::map<std::string, std::function<std::string(const Places&)>>{
      {"machine", machine},     {"hip", hip},        {"hiprtc", hiprtc}, {"rocblas", rocblas},
      {"hipblaslt", hipblaslt}, {"verdict", verdict}};
  const auto found = all->find(part);
  if (found == all->end()) {
    throw Error("there is no part \"" + part + "\" of the inventory, allowed are " +
                listed(inventory_parts()));
  }
  return found->second(places);
}

}  // namespace hiplab::driver::rocm_provider
