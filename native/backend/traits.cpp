#include "backend/traits.h"

#include <initializer_list>
#include <string_view>

namespace hiplab::backend {
namespace {

bool starts_with_any(const char* arch, std::initializer_list<std::string_view> families) {
  const std::string_view name(arch);
  for (const std::string_view family : families) {
    if (name.starts_with(family)) return true;
  }
  return false;
}

}  // namespace

bool arch_has_native_wmma(const char* arch) { return starts_with_any(arch, {"gfx11", "gfx12"}); }

bool arch_has_cdna_mfma(const char* arch) {
  return starts_with_any(arch, {"gfx908", "gfx90a", "gfx94", "gfx95"});
}

}  // namespace hiplab::backend
