#include "driver/rocm/reasons.h"

#include <cstdlib>
#include <filesystem>
#include <set>
#include <vector>

#include "driver/listed.h"
#include "driver/rocm/device_node.h"
#include "driver/rocm/topology.h"

namespace hiplab::driver::rocm_provider {
namespace {

namespace fs = std::filesystem;

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::string architectures(const Topology& topology) {
  std::set<std::string> names;
  for (const TopologyGpu& gpu : topology.gpus) {
    names.insert(gpu.arch.empty() ? "a GPU without a number" : gpu.arch);
  }
  return listed({names.begin(), names.end()});
}

Reason no_node(const Places& places) {
  const std::string missing = "no " + places.kfd;
  if (read_topology(places.topology).there) {
    return {missing + ", although the amdgpu kernel driver is loaded (" + places.topology +
                " is there), so this container was not given it",
            "start the container with --device=/dev/kfd --device=/dev/dri"};
  }
  const auto gpus = amd_gpus_on_bus(places.pci);
  if (gpus.empty()) {
    return {missing + ", and no AMD GPU on the PCI bus (" + places.pci + ")",
            "use the software device here, or a machine with an AMD GPU"};
  }
  return {missing + ", although the PCI bus has an AMD GPU (" + listed(gpus) +
              "), so the amdgpu kernel driver is not loaded",
          "sudo modprobe amdgpu"};
}

// The file that the loader misses, in "libx.so.3: cannot open shared object file: ...".
std::string missing_file(const std::string& words) {
  const std::size_t end = words.find(": cannot open shared object file: No such file");
  return end == std::string::npos ? "" : words.substr(0, end);
}

std::string step_for(const std::string& words, const LibraryName& name) {
  const std::string needed = missing_file(words);
  if (!needed.empty()) return "install the package that has " + needed;
  if (words.find("version `") != std::string::npos) {
    return "install a ROCm that was built for this system's release";
  }
  return "install it again (" + name.packages + ")";
}

Reason render_reason(const Places& places) {
  const auto nodes = render_nodes(places.dri);
  if (nodes.empty()) {
    return {"no render node in " + places.dri + " (renderD*)",
            "start the container with --device=/dev/dri, or load the driver again with sudo "
            "modprobe amdgpu"};
  }
  for (const DeviceNode& node : nodes) {
    if (node.error != 0) return refusal(node);
  }
  return {};
}

}  // namespace

std::string hiding_variables() {
  std::vector<std::string> set;
  for (const char* name : {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES",
                           "GPU_DEVICE_ORDINAL"}) {
    if (const char* value = std::getenv(name))
      set.push_back(std::string(name) + "=\"" + value + "\"");
  }
  return listed(set);
}

Reason kfd_reason(const Places& places, Depth depth) {
  if (!exists(places.kfd)) {
    if (exists(places.dxg)) return {};
    if (depth == Depth::thorough) return no_node(places);
    return {"no " + places.kfd +
                " (the amdgpu kernel driver is not loaded, or not passed into this container)",
            ""};
  }
  if (opens(places.kfd)) return {};
  const DeviceNode node = look_at_node(places.kfd);
  return node.error == 0 ? Reason{} : refusal(node);
}

Reason library_reason(const LibraryName& name, const Loaded& loaded) {
  if (!loaded.words.empty()) {
    return {name.stem + " is there and does not load (" + loaded.words + ")",
            step_for(loaded.words, name)};
  }
  if (!loaded.old.empty()) {
    return {"only an older " + name.stem + " is there (" + loaded.old + "), and " +
                name.sonames.back() + " or newer is needed",
            "install ROCm 6 or newer (" + name.packages + ")"};
  }
  return {name.stem + " not found (tried " + loaded.tried + ")",
          "install it (" + name.packages + "), or set HIPLAB_ROCM_PATH to the folder that has it"};
}

Reason lacking_reason(const LibraryName& name, const Loaded& loaded, const std::string& missing) {
  return {loaded.path + " lacks " + missing + ", so it is not of ROCm 6 or newer",
          "install a newer one (" + name.packages + ")"};
}

Reason no_device_reason(const Places& places, const std::string& hip) {
  const std::string none = "HIP finds no device: ";
  const std::string hiding = hiding_variables();
  const bool windows = !exists(places.kfd);  // WSL: neither topology nor render nodes
  const Topology topology = windows ? Topology{} : read_topology(places.topology);
  if (!windows && topology.gpus.empty() && topology.forbidden > 0) {
    return {none + std::to_string(topology.forbidden) + " node(s) of the driver's topology (" +
                places.topology +
                ") may not be read here, as this container's device rules forbid "
                "their GPUs",
            "start the container with --device=/dev/dri"};
  }
  if (!windows && topology.gpus.empty()) {
    return {none + "no GPU in the driver's topology (" + places.topology + " has " +
                std::to_string(topology.nodes) + " node(s), none with SIMDs)",
            "look for amdgpu in the kernel's messages (sudo dmesg): the GPU's firmware or the "
            "driver's support may be missing"};
  }
  if (!hiding.empty()) {
    return {none + "hidden by " + hiding, "unset it, or give the number of a device that is there"};
  }
  if (windows) {
    return {none + "there is " + places.dxg + " and no " + places.kfd + ", as under WSL",
            "install the driver for WSL on the Windows side"};
  }
  if (const Reason render = render_reason(places)) return {none + render.what, render.step};
  const char* override_version = std::getenv("HSA_OVERRIDE_GFX_VERSION");
  return {none + "the driver's topology has " + architectures(topology) + ", for which " + hip +
              " offers no device" +
              (override_version == nullptr
                   ? std::string()
                   : ", with HSA_OVERRIDE_GFX_VERSION=\"" + std::string(override_version) + "\""),
          "install a ROCm that supports that architecture"};
}

}  // namespace hiplab::driver::rocm_provider
