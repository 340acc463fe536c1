#include "driver/rocm/version.h"

#include <dlfcn.h>
#include <link.h>

namespace hiplab::driver::rocm_provider {

std::string hip_version(const Table& table) {
  int version = 0;
  if (table.hipRuntimeGetVersion(&version) != hipSuccess || version <= 0) return "";
  // major * 10^7 + minor * 10^5 + patch
  return std::to_string(version / 10000000) + "." + std::to_string(version / 100000 % 100) + "." +
         std::to_string(version % 100000);
}

std::string hiprtc_version(const Table& table) {
  int major = 0;
  int minor = 0;
  if (table.hiprtcVersion(&major, &minor) != HIPRTC_SUCCESS) return "";
  return std::to_string(major) + "." + std::to_string(minor);
}

std::string rocblas_version(const Table& table) {
  size_t length = 0;
  if (table.rocblas_get_version_string_size(&length) != rocblas_status_success) return "";
  std::string text(length, '\0');
  if (table.rocblas_get_version_string(text.data(), length) != rocblas_status_success) return "";
  text = text.c_str();
  // Debian's says "4.4.1.", without the commit that others put behind the dot.
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string file_version(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const std::size_t at = name.find(".so.");
  return at == std::string::npos ? "" : name.substr(at + 4);
}

std::string soname_of(void* handle) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr || map->l_ld == nullptr) {
    return "";
  }
  const char* strings = nullptr;
  std::size_t name = 0;
  bool found = false;
  for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) {
      // glibc has put the address in place of the offset.
      strings = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    } else if (entry->d_tag == DT_SONAME) {
      name = entry->d_un.d_val;
      found = true;
    }
  }
  return found && strings != nullptr ? strings + name : "";
}

}  // namespace hiplab::driver::rocm_provider
