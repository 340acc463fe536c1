// hiplab.h: what the machine has of ROCm and for the software device.
#include <sstream>

#include "bindings/hiplab.h"
#include "driver/error.h"
#include "driver/host/compiler_choice.h"
#include "driver/rocm/inventory.h"

namespace hiplab::bindings {
namespace {

driver::rocm_provider::Places places_of(const std::string& text) {
  auto places = driver::rocm_provider::places_of_environment();
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const std::size_t equals = line.find('=');
    const std::string key = line.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : line.substr(equals + 1);
    if (key == "root") {
      places.root = value;
    } else if (key == "kfd") {
      places.kfd = value;
    } else if (key == "dxg") {
      places.dxg = value;
    } else if (key == "dri") {
      places.dri = value;
    } else if (key == "topology") {
      places.topology = value;
    } else if (key == "pci") {
      places.pci = value;
    } else {
      throw Error("unknown place '" + key + "', allowed are root, kfd, dxg, dri, topology, pci");
    }
  }
  return places;
}

}  // namespace

std::string rocmInventory(const std::string& part, const std::string& places) {
  return driver::rocm_provider::inventory(part, places_of(places));
}

std::string compilerInfo() {
  const auto choice = driver::host::choose_compiler();
  if (choice.command.empty()) return "missing=" + choice.missing + "\n";
  std::string command;
  for (const std::string& word : choice.command) command += (command.empty() ? "" : " ") + word;
  return "command=" + command + "\nversion=" + choice.version + "\n";
}

}  // namespace hiplab::bindings
