// hipGetLastError, and the door through which every HIP call passes.
//
// Each HIP function of the table is wrapped: it is refused after a device's fault, and an error is
// kept for the calling thread until hipGetLastError takes it. hipErrorNotReady is no error but an
// answer, and is not kept (HIP documentation).
#include <type_traits>

#include "driver/host/fault.h"
#include "driver/host/tables.h"

namespace hiplab::driver::host {
namespace {

Table inner;  // the functions under the doors; the same for every machine of a process
thread_local hipError_t last = hipSuccess;

hipError_t noted(hipError_t result) {
  if (result != hipSuccess && result != hipErrorNotReady) last = result;
  return result;
}

template <typename Call>
auto through_door(Call call) -> decltype(call()) {
  if constexpr (std::is_same_v<decltype(call()), hipError_t>) {
    if (faulted()) return noted(hipErrorIllegalAddress);
    const hipError_t result = call();
    // A call that was on its way when the device faulted may have ended well.
    return noted(faulted() ? hipErrorIllegalAddress : result);
  } else {
    return call();  // hipGetErrorName and hipGetErrorString
  }
}

#define HIPLAB_DOOR(ret, name, params, args)              \
  ret door_##name params {                                \
    return through_door([&] { return inner.name args; }); \
  }
HIPLAB_HIP_FUNCTIONS(HIPLAB_DOOR)
#undef HIPLAB_DOOR

hipError_t get_last_error() {
  if (faulted()) return hipErrorIllegalAddress;  // sticky: taking it does not clear it
  const hipError_t taken = last;
  last = hipSuccess;
  return taken;
}

}  // namespace

void fill_doors(Table& t) {
  static const bool once = [&] {
    inner = t;
    return true;
  }();
  static_cast<void>(once);
#define HIPLAB_HANG_DOOR(ret, name, params, args) \
  if (t.name != nullptr) t.name = door_##name;
  HIPLAB_HIP_FUNCTIONS(HIPLAB_HANG_DOOR)
#undef HIPLAB_HANG_DOOR
  t.hipGetLastError = get_last_error;
}

}  // namespace hiplab::driver::host
