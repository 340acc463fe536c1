// Where the cache of compiled kernels lies, and whether it may be trusted.
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <mutex>
#include <string>

#include "driver/host/code_cache.h"

namespace hiplab::driver::host {
namespace {

// As the toolkit's cache of native libraries: HIPLAB_CACHE, XDG_CACHE_HOME, ~/.cache.
std::string location() {
  for (const char* variable : {"HIPLAB_CACHE", "XDG_CACHE_HOME"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return value;
  }
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) + "/.cache" : "";
}

// "" when `path` is a folder that nobody but this user and root can change; makes it when absent.
std::string trouble_of(const std::string& path, bool private_to_user) {
  if (private_to_user) mkdir(path.c_str(), 0700);
  struct stat about {};
  if (lstat(path.c_str(), &about) != 0) return path + ": " + std::strerror(errno);
  if (!S_ISDIR(about.st_mode)) return path + " is not a folder";
  if (about.st_uid != geteuid() && (private_to_user || about.st_uid != 0)) {
    return path + " belongs to another user";
  }
  const bool sticky = (about.st_mode & S_ISVTX) != 0;
  if ((about.st_mode & 022) != 0 && (private_to_user || !sticky)) {
    return path + " can be written by others";
  }
  return "";
}

std::string make(const std::string& cache, std::string& trouble) {
  if (cache.empty()) {
    trouble = "neither HIPLAB_CACHE nor HOME is set";
    return "";
  }
  std::error_code failed;
  const std::string root = std::filesystem::absolute(cache, failed).string();
  std::filesystem::create_directories(root, failed);
  const std::string resolved = std::filesystem::canonical(root, failed).string();
  if (failed) {
    trouble = root + ": " + failed.message();
    return "";
  }
  trouble = trouble_of(resolved, false);
  for (const char* folder : {"/hiplab", "/hiplab/kernels"}) {
    if (trouble.empty()) trouble = trouble_of(resolved + folder, true);
  }
  const std::string kernels = resolved + "/hiplab/kernels";
  if (trouble.empty() && access(kernels.c_str(), W_OK | X_OK) != 0) {
    trouble = kernels + ": " + std::strerror(errno);
  }
  return trouble.empty() ? kernels : "";
}

// A value that is none of those allowed keeps the cache, as an unset one does, and is told once.
bool is_off() {
  const char* asked = std::getenv("HIPLAB_KERNEL_CACHE");
  if (asked == nullptr || *asked == '\0') return false;
  const auto is_one_of = [&](std::initializer_list<const char*> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](const char* word) { return strcasecmp(asked, word) == 0; });
  };
  if (is_one_of({"off", "no", "0", "false"})) return true;
  if (is_one_of({"on", "yes", "1", "true"})) return false;
  static std::once_flag told;
  std::call_once(told, [&] {
    std::fprintf(stderr,
                 "hiplab: HIPLAB_KERNEL_CACHE is '%s', allowed are off, no, 0 and false, or on, "
                 "yes, 1 and true; compiled kernels are kept\n",
                 asked);
  });
  return false;
}

}  // namespace

CodeCache code_cache_of_environment() {
  if (is_off()) return CodeCache("");
  std::string trouble;
  const std::string cache = location();
  std::string folder = make(cache, trouble);
  if (folder.empty()) {
    static std::once_flag told;
    std::call_once(told, [&] {
      std::fprintf(stderr,
                   "hiplab: compiled kernels are not kept (%s); set HIPLAB_CACHE to a folder that "
                   "only you can write, or HIPLAB_KERNEL_CACHE=off\n",
                   trouble.c_str());
    });
  }
  return CodeCache(folder);
}

}  // namespace hiplab::driver::host
