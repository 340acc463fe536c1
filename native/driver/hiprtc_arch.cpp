#include "driver/hiprtc_arch.h"

#include <sstream>
#include <string_view>

namespace hiplab::driver {
namespace {

struct Target {
  std::string_view name;
  bool sramecc;
  bool xnack;
};

// Compiled for with HIP 6.4 (measured): gfx90a with both features, gfx942, 950, 1100, 1150, 1151,
// 1200, 1201. Known to abort (measured): gfx9999, gfx1250, amdgcn, the empty one, gfx1151:xnack-.
// The others and their features are from LLVM's list of AMDGPU processors for that release.
constexpr Target kTargets[] = {
    {"gfx900", false, true},   {"gfx902", false, true},   {"gfx904", false, true},
    {"gfx906", true, true},    {"gfx908", true, true},    {"gfx909", false, true},
    {"gfx90a", true, true},    {"gfx90c", false, true},   {"gfx942", true, true},
    {"gfx950", true, true},    {"gfx1010", false, true},  {"gfx1011", false, true},
    {"gfx1012", false, true},  {"gfx1013", false, true},  {"gfx1030", false, false},
    {"gfx1031", false, false}, {"gfx1032", false, false}, {"gfx1033", false, false},
    {"gfx1034", false, false}, {"gfx1035", false, false}, {"gfx1036", false, false},
    {"gfx1100", false, false}, {"gfx1101", false, false}, {"gfx1102", false, false},
    {"gfx1103", false, false}, {"gfx1150", false, false}, {"gfx1151", false, false},
    {"gfx1152", false, false}, {"gfx1200", false, false}, {"gfx1201", false, false},
};

}  // namespace

bool is_amd_target(const std::string& arch) {
  std::istringstream parts(arch);
  std::string part;
  std::getline(parts, part, ':');
  const Target* target = nullptr;
  for (const Target& known : kTargets) {
    if (known.name == part) target = &known;
  }
  if (target == nullptr || arch.ends_with(':')) return false;
  bool sramecc = target->sramecc;
  bool xnack = target->xnack;
  while (std::getline(parts, part, ':')) {  // each feature at most once
    if (sramecc && (part == "sramecc+" || part == "sramecc-")) {
      sramecc = false;
    } else if (xnack && (part == "xnack+" || part == "xnack-")) {
      xnack = false;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace hiplab::driver
