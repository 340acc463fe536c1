#include "driver/rocm/kernel_folder.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "driver/listed.h"

namespace hiplab::driver::rocm_provider {
namespace {

namespace fs = std::filesystem;

// The last "gfx..." of a name; features (-xnack+) do not belong to it.
std::string arch_in(const std::string& name) {
  const std::size_t at = name.rfind("gfx");
  if (at == std::string::npos) return "";
  std::size_t end = at + 3;
  while (end < name.size() && std::isxdigit(static_cast<unsigned char>(name[end])) != 0) ++end;
  return end - at < 6 ? "" : name.substr(at, end - at);
}

// Only what begins like this holds or lists GEMMs: hipBLASLt has helper kernels beside them.
void count(const fs::path& file, KernelFolder& found) {
  const std::string name = file.filename().string();
  if (!name.starts_with("TensileLibrary")) return;
  const std::string arch = arch_in(name);
  if (!arch.empty()) {
    ++found.counts[arch];
  } else if (name.starts_with("TensileLibrary.")) {
    found.merged = true;
  }
}

void read(const fs::path& folder, KernelFolder& found) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().starts_with("gfx") && entry.is_directory(ignored)) {
      for (const auto& inner : fs::directory_iterator(entry.path(), ignored)) {
        count(inner.path(), found);
      }
    } else {
      count(entry.path(), found);
    }
  }
}

std::string variable_of(const std::string& name) {
  std::string upper = name;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const char* value = std::getenv((upper + "_TENSILE_LIBPATH").c_str());
  return value == nullptr ? "" : value;
}

std::string folder_beside(const fs::path& library, const std::string& name) {
  std::error_code ignored;
  const fs::path own = library.parent_path() / name;
  if (fs::is_directory(own / "library", ignored)) return (own / "library").string();
  std::vector<std::string> versions;
  for (const auto& entry : fs::directory_iterator(own, ignored)) {
    if (fs::is_directory(entry.path() / "library", ignored)) {
      versions.push_back((entry.path() / "library").string());
    }
  }
  return versions.empty() ? "" : *std::max_element(versions.begin(), versions.end());
}

}  // namespace

std::string KernelFolder::listed() const {
  std::vector<std::string> names;
  for (const auto& [arch, files] : counts) names.push_back(arch);
  // gfx908 before gfx1010: a shorter name is an older architecture.
  std::stable_sort(names.begin(), names.end(),
                   [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
  return hiplab::listed(names);
}

KernelFolder kernels_beside(const std::string& library, const std::string& name) {
  KernelFolder found;
  found.folder = variable_of(name);
  found.from_variable = !found.folder.empty();
  if (found.folder.empty()) found.folder = folder_beside(library, name);
  if (!found.folder.empty()) read(found.folder, found);
  return found;
}

std::string base_arch(const std::string& arch) { return arch.substr(0, arch.find(':')); }

}  // namespace hiplab::driver::rocm_provider
