#include "driver/rocm/libraries.h"

#include <dlfcn.h>
#include <link.h>

#include <climits>
#include <cstdlib>
#include <filesystem>

namespace hiplab::driver::rocm_provider {
namespace {

namespace fs = std::filesystem;

const LibraryName* leaked(LibraryName name) { return new LibraryName(std::move(name)); }

// Unversioned names exist only under /opt/rocm/lib and with development packages.
std::vector<std::string> file_names(const LibraryName& library) {
  std::vector<std::string> names = library.sonames;
  names.push_back(library.stem + ".so");
  return names;
}

std::string path_of(void* handle, const std::string& fallback) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr || *map->l_name == '\0') {
    return fallback;
  }
  std::error_code error;
  const auto real = fs::canonical(map->l_name, error);
  return error ? map->l_name : real.string();
}

bool open(const std::string& file, Loaded& loaded) {
  loaded.handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded.handle == nullptr) return false;
  loaded.path = path_of(loaded.handle, file);
  return true;
}

void note(Loaded& loaded, const std::string& text) {
  loaded.tried += (loaded.tried.empty() ? "" : ", ") + text;
}

// A file that is there and does not load (a missing dependency) is told with the loader's words; a
// file that is not there only by its folder.
bool open_in(const fs::path& folder, const LibraryName& library, Loaded& loaded) {
  for (const std::string& name : file_names(library)) {
    std::error_code ignored;
    if (!fs::exists(folder / name, ignored)) continue;
    if (open((folder / name).string(), loaded)) return true;
    note(loaded, dlerror());
  }
  note(loaded, folder.string());
  return false;
}

}  // namespace

const LibraryName& hip_library() {
  static const auto* name = leaked({"libamdhip64", {"libamdhip64.so.7", "libamdhip64.so.6"}});
  return *name;
}

const LibraryName& hiprtc_library() {
  static const auto* name = leaked({"libhiprtc", {"libhiprtc.so.7", "libhiprtc.so.6"}});
  return *name;
}

const LibraryName& rocblas_library() {
  static const auto* name = leaked({"librocblas", {"librocblas.so.5", "librocblas.so.4"}});
  return *name;
}

const LibraryName& hipblaslt_library() {
  static const auto* name = leaked({"libhipblaslt", {"libhipblaslt.so.1", "libhipblaslt.so.0"}});
  return *name;
}

Loaded load(const LibraryName& library, const std::string& root) {
  Loaded loaded;
  if (!root.empty()) {
    if (open_in(fs::path(root) / "lib", library, loaded)) return loaded;
    open_in(root, library, loaded);
    return loaded;
  }
  if (open_in("/opt/rocm/lib", library, loaded)) return loaded;
  for (const std::string& name : file_names(library)) {
    if (open(name, loaded)) return loaded;
    note(loaded, name);
  }
  return loaded;
}

}  // namespace hiplab::driver::rocm_provider
