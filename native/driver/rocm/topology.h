// GPUs as the kernel lists them, with no library of ROCm.
#pragma once

#include <string>
#include <vector>

namespace hiplab::driver::rocm_provider {

// A GPU of the compute driver's topology.
struct TopologyGpu {
  std::string node;       // name of its folder: "1"
  std::string arch;       // "gfx1151"; empty when the driver tells none
  int simds = 0;          // vector units; a node of a CPU has none
  int render_minor = -1;  // its render node is /dev/dri/renderD<this>; -1 when not told
};

struct Topology {
  bool there = false;  // the compute driver is loaded (a container sees its host's)
  int nodes = 0;
  int forbidden = 0;  // nodes that this process may not read: a container's device rules hide them
  std::vector<TopologyGpu> gpus;
};

// `folder`: /sys/class/kfd/kfd/topology/nodes.
Topology read_topology(const std::string& folder);

// The driver's number of an architecture: 110501 is gfx1151, 90010 gfx90a. "" for 0 and less.
std::string arch_of_version(long version);

// AMD's GPUs and accelerators on the PCI bus, by address ("0000:c5:00.0"), whatever driver they
// have. `folder`: /sys/bus/pci/devices.
std::vector<std::string> amd_gpus_on_bus(const std::string& folder);

}  // namespace hiplab::driver::rocm_provider
