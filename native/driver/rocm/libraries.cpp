#include "driver/rocm/libraries.h"

#include <dlfcn.h>
#include <link.h>

#include <climits>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace hiplab::driver::rocm_provider {
namespace {

namespace fs = std::filesystem;

const LibraryName* leaked(LibraryName name) { return new LibraryName(std::move(name)); }

// Packages: AMD's by their names in its repositories; Debian's as seen on 2026-11-30, in sid alone.
// Debian 12 and 13 have libamdhip64-5, which is too old.

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

void failed(Loaded& loaded, const std::string& words) {
  note(loaded, words);
  if (loaded.words.empty()) loaded.words = words;
}

// A file that is there and does not load (a missing dependency) is told with the loader's words; a
// file that is not there only by its folder.
bool open_in(const fs::path& folder, const LibraryName& library, Loaded& loaded) {
  for (const std::string& name : file_names(library)) {
    std::error_code ignored;
    if (!fs::exists(folder / name, ignored)) continue;
    if (open((folder / name).string(), loaded)) return true;
    failed(loaded, dlerror());
  }
  note(loaded, folder.string());
  return false;
}

// By soname. What the loader says of a file that it does not find begins with that name; anything
// else is about a file that it has found, or about one that this needs.
bool open_by_name(const std::string& name, Loaded& loaded) {
  if (open(name, loaded)) return true;
  const std::string words = dlerror();
  if (words.starts_with(name + ": cannot open shared object file: No such file")) {
    note(loaded, name);
  } else {
    failed(loaded, words);
  }
  return false;
}

// An older release in one of the folders, for the message alone.
std::string older_in(const std::vector<fs::path>& folders, const LibraryName& library) {
  std::error_code ignored;
  for (const fs::path& folder : folders) {
    for (const std::string& name : library.too_old) {
      if (fs::exists(folder / name, ignored)) return (folder / name).string();
    }
  }
  return "";
}

// Where the loader looks, as far as that is known without reading its cache.
std::vector<fs::path> usual_folders() {
  std::vector<fs::path> folders{"/opt/rocm/lib"};
  const char* said = std::getenv("LD_LIBRARY_PATH");
  std::istringstream paths(said == nullptr ? "" : said);
  for (std::string path; std::getline(paths, path, ':');) {
    if (!path.empty()) folders.emplace_back(path);
  }
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"}) {
    folders.emplace_back(folder);
  }
  return folders;
}

}  // namespace

const LibraryName& hip_library() {
  static const auto* name = leaked({"libamdhip64",
                                    {"libamdhip64.so.7", "libamdhip64.so.6"},
                                    {"libamdhip64.so.5", "libamdhip64.so.4"},
                                    "hip-runtime-amd or amdrocm-runtime of AMD, "
                                    "or libamdhip64-6 of Debian sid"});
  return *name;
}

const LibraryName& hiprtc_library() {
  static const auto* name = leaked({"libhiprtc",
                                    {"libhiprtc.so.7", "libhiprtc.so.6"},
                                    {"libhiprtc.so.5"},
                                    "hip-runtime-amd or amdrocm-runtime of AMD, "
                                    "or libhiprtc6 of Debian sid"});
  return *name;
}

const LibraryName& rocblas_library() {
  static const auto* name = leaked({"librocblas",
                                    {"librocblas.so.5", "librocblas.so.4"},
                                    {"librocblas.so.3", "librocblas.so.0"},
                                    "rocblas or amdrocm-blas of AMD, "
                                    "or librocblas4 of Debian sid"});
  return *name;
}

const LibraryName& hipblaslt_library() {
  static const auto* name = leaked({"libhipblaslt",
                                    {"libhipblaslt.so.1", "libhipblaslt.so.0"},
                                    {},
                                    "hipblaslt or amdrocm-blas of AMD, "
                                    "or libhipblaslt1 of Debian sid"});
  return *name;
}

Loaded load(const LibraryName& library, const std::string& root) {
  Loaded loaded;
  if (!root.empty()) {
    const std::vector<fs::path> folders{fs::path(root) / "lib", root};
    for (const fs::path& folder : folders) {
      if (open_in(folder, library, loaded)) return loaded;
    }
    loaded.old = older_in(folders, library);
    return loaded;
  }
  if (open_in("/opt/rocm/lib", library, loaded)) return loaded;
  for (const std::string& name : file_names(library)) {
    if (open_by_name(name, loaded)) return loaded;
  }
  loaded.old = older_in(usual_folders(), library);
  return loaded;
}

}  // namespace hiplab::driver::rocm_provider
