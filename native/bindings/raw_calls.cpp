// Where raw calls go, and the names of what they return.
#include <cstring>

#include "bindings/hiplab.h"
#include "bindings/options.h"
#include "driver/error.h"
#include "driver/error_names.h"
#include "raw/provider.h"

namespace hiplab::bindings {
namespace {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

std::string text(const char* name) { return name == nullptr ? "" : name; }

// The names that stand for every code without one.
std::string known(const char* name, const char* unnamed) {
  return std::strcmp(name, unnamed) == 0 ? "" : name;
}

}  // namespace

void setRawOptions(const std::string& options) { raw::set_request(parse_options(options).request); }

std::string describeRaw() { return raw::describe(); }

std::string statusName(const std::string& library, int status) {
  if (library == "hip") {
    const auto error = static_cast<hipError_t>(status);
    if (error == hipErrorUnknown) return "hipErrorUnknown";
    return known(driver::error_name(error), "hipErrorUnknown");
  }
  if (library == "hiprtc") return text(driver::status_name(static_cast<hiprtcResult>(status)));
  if (library == "rocblas") {
    return known(driver::status_name(static_cast<rocblas_status>(status)),
                 "rocblas_status_unknown");
  }
  if (library == "hipblaslt")
    return text(driver::status_name(static_cast<hipblasStatus_t>(status)));
  throw Error("there is no library \"" + library +
              "\", allowed are hip, hiprtc, rocblas and hipblaslt");
}

}  // namespace hiplab::bindings
