// The raw calls: each of raw/*.h, answered by the table of raw/provider.h.
#include <string>
#include <type_traits>

#include "driver/error.h"
#include "driver/functions.h"
#include "raw/captures.h"
#include "raw/hip.h"
#include "raw/hipblaslt.h"
#include "raw/hiprtc.h"
#include "raw/provider.h"
#include "raw/rocblas.h"

namespace hiplab::raw {
namespace {

using driver::Function;
using driver::Table;

[[noreturn]] void throw_missing(Function function, const char* library) {
  throw Error(std::string(driver::function_name(function)) + " cannot be called: " + library +
              " is not there or lacks it (" + describe() +
              "); install it, or name the folder that has it in HIPLAB_ROCM_PATH, and start the "
              "process again");
}

template <Function F, typename Result, typename... Args>
Result call(const Table& table, const char* library, Result (*inner)(Args...),
            std::type_identity_t<Args>... args) {
  if (inner == nullptr) throw_missing(F, library);
  if constexpr (F == Function::hipStreamBeginCapture) {
    return begin_capture(table, args...);
  } else if constexpr (F == Function::hipblasLtCreate) {
    return create_outside_captures(table, args...);
  } else if constexpr (F == Function::hipStreamEndCapture) {
    const auto ended = [&table](hipStream_t stream, auto...) {
      capture_may_have_ended(table, stream);
    };
    const Result status = inner(args...);
    ended(args...);
    return status;
  } else if constexpr (F == Function::hipStreamDestroy) {
    const Result status = inner(args...);
    if (status == hipSuccess) stream_destroyed(args...);
    return status;
  } else if constexpr (F == Function::hipDeviceReset) {
    const Result status = inner();
    if (status == hipSuccess) device_reset();
    return status;
  } else {
    return inner(args...);
  }
}

}  // namespace
}  // namespace hiplab::raw

namespace hiplab::rocm {

// A list of arguments with some in front.
#define HIPLAB_UNPACK(...) __VA_OPT__(, ) __VA_ARGS__

#define HIPLAB_RAW(library, ret, name, params, args)                                         \
  ret name params {                                                                          \
    const driver::Table& table = raw::table();                                               \
    return raw::call<driver::Function::name>(table, library, table.name HIPLAB_UNPACK args); \
  }
#define HIPLAB_RAW_HIP(ret, name, params, args) HIPLAB_RAW("libamdhip64", ret, name, params, args)
#define HIPLAB_RAW_HIPRTC(ret, name, params, args) HIPLAB_RAW("libhiprtc", ret, name, params, args)
#define HIPLAB_RAW_ROCBLAS(ret, name, params, args) \
  HIPLAB_RAW("librocblas", ret, name, params, args)
#define HIPLAB_RAW_HIPBLASLT(ret, name, params, args) \
  HIPLAB_RAW("libhipblaslt", ret, name, params, args)

HIPLAB_HIP_FUNCTIONS(HIPLAB_RAW_HIP)
HIPLAB_HIPRTC_FUNCTIONS(HIPLAB_RAW_HIPRTC)
HIPLAB_ROCBLAS_FUNCTIONS(HIPLAB_RAW_ROCBLAS)
HIPLAB_HIPBLASLT_FUNCTIONS(HIPLAB_RAW_HIPBLASLT)

}  // namespace hiplab::rocm
