#include "forms/flag_first_rocblas.h"

#include <cstdio>
#include <utility>

#include "backend/device_guard.h"
#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is one form of a backend part

FlagFirstRocblas::FlagFirstRocblas(const Context& context, int device, std::string arch)
    : context_(context), device_(device), arch_(std::move(arch)) {}

FlagFirstRocblas::~FlagFirstRocblas() {
  // Only the handle stored last is known here: one that was created twice leaks, as filed.
  if (handle_ != nullptr) context_.api().rocblas_destroy_handle(handle_);
}

rocblas_handle FlagFirstRocblas::get_handle() {
  HIPLAB_READ(&initialized_, "rocblas.initialized");
  if (!initialized_) {
    HIPLAB_POINT("rocblas.init.flag-read");
    HIPLAB_WRITE(&initialized_, "rocblas.initialized");
    initialized_ = true;
    HIPLAB_POINT("rocblas.init.flag-set");
    if (!context_.provider.has_rocblas || !rocblas_supports(arch_.c_str())) {
      std::fprintf(stderr, "warning: rocBLAS is not available on device %d\n", device_);
      HIPLAB_WRITE(&available_, "rocblas.available");
      available_ = false;
    } else {
      const DeviceGuard current(context_.api(), device_);
      HIPLAB_POINT("rocblas.create.begin");
      HIPLAB_WRITE(&handle_, "rocblas.handle");
      const rocblas_status status = context_.api().rocblas_create_handle(&handle_);
      if (succeeded(status)) {
        ++context_.counters.handles_rocblas;
      } else {
        std::fprintf(stderr, "warning: rocblas_create_handle failed on device %d: %s\n", device_,
                     status_name(context_.api(), status).c_str());
        HIPLAB_WRITE(&available_, "rocblas.available");
        available_ = false;
      }
      HIPLAB_POINT("rocblas.create.end");
    }
  }
  HIPLAB_READ(&available_, "rocblas.available");
  if (!available_) {
    throw Error("rocBLAS is not available on device " + std::to_string(device_));
  }
  HIPLAB_READ(&handle_, "rocblas.handle");
  return handle_;
}

void FlagFirstRocblas::set_stream(hipStream_t stream) {
  HIPLAB_READ(&stream_, "rocblas.stream");
  if (stream_ != stream) {
    (void)context_.api().rocblas_set_stream(handle_, stream);
    HIPLAB_WRITE(&stream_, "rocblas.stream");
    stream_ = stream;
  }
}

bool FlagFirstRocblas::available() {
  HIPLAB_POINT("rocblas.enter");
  HIPLAB_READ(&initialized_, "rocblas.initialized");
  if (!initialized_) {
    try {
      get_handle();
    } catch (const Error&) {
      return false;
    }
  }
  HIPLAB_READ(&available_, "rocblas.available");
  return available_;
}

rocblas_status FlagFirstRocblas::with_handle(hipStream_t stream, const RocblasCall& call) {
  HIPLAB_POINT("rocblas.enter");
  const rocblas_handle handle = get_handle();
  set_stream(stream);
  HIPLAB_POINT("rocblas.rebind.done");
  const rocblas_status status = call(handle);
  HIPLAB_POINT("rocblas.leave");
  return status;
}

}  // namespace hiplab::forms
