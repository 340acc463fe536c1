#include "driver/rocm/topology.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

namespace hiplab::driver::rocm_provider {
namespace {

namespace fs = std::filesystem;

// "simd_count 160" lines; false when the file cannot be read.
bool read_properties(const fs::path& file, std::map<std::string, long>& properties) {
  std::ifstream in(file);
  std::string name;
  std::string value;
  // As text: some of the values are larger than a long.
  while (in >> name >> value) properties[name] = std::strtol(value.c_str(), nullptr, 10);
  return !properties.empty();
}

long value_of(const std::map<std::string, long>& properties, const char* name, long fallback) {
  const auto found = properties.find(name);
  return found == properties.end() ? fallback : found->second;
}

std::string first_word(const fs::path& file) {
  std::ifstream in(file);
  std::string word;
  in >> word;
  return word;
}

}  // namespace

std::string arch_of_version(long version) {
  if (version <= 0) return "";
  // Major decimal, minor and stepping one hexadecimal digit each, as in gfx90a.
  char text[32];
  std::snprintf(text, sizeof text, "gfx%ld%lx%lx", version / 10000, version / 100 % 100,
                version % 100);
  return text;
}

Topology read_topology(const std::string& folder) {
  Topology topology;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    topology.there = true;
    ++topology.nodes;
    std::map<std::string, long> properties;
    // The kernel opens the file for everybody and refuses to be read instead.
    if (!read_properties(entry.path() / "properties", properties)) {
      ++topology.forbidden;
      continue;
    }
    const long simds = value_of(properties, "simd_count", 0);
    if (simds <= 0) continue;
    topology.gpus.push_back({entry.path().filename().string(),
                             arch_of_version(value_of(properties, "gfx_target_version", 0)),
                             static_cast<int>(simds),
                             static_cast<int>(value_of(properties, "drm_render_minor", -1))});
  }
  if (!topology.there) topology.there = fs::is_directory(folder, ignored);
  std::sort(topology.gpus.begin(), topology.gpus.end(),
            [](const TopologyGpu& a, const TopologyGpu& b) {
              return std::atoi(a.node.c_str()) < std::atoi(b.node.c_str());
            });
  return topology;
}

std::vector<std::string> amd_gpus_on_bus(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (first_word(entry.path() / "vendor") != "0x1002") continue;
    const std::string kind = first_word(entry.path() / "class");
    // 03: display controllers, an Instinct card among them; 1200: processing accelerators.
    if (kind.starts_with("0x03") || kind.starts_with("0x1200")) {
      found.push_back(entry.path().filename().string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace hiplab::driver::rocm_provider
