#include "forms/thread_rocblas.h"

#include "backend/device_guard.h"
#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is one form of a backend part

ThreadRocblas::ThreadRocblas(const Context& context, int device, const std::string& arch)
    : context_(context),
      device_(device),
      supported_(context.provider.has_rocblas && rocblas_supports(arch.c_str())) {}

rocblas_handle ThreadRocblas::own_handle() {
  OwnedRocblas& own = handles_.mine();
  HIPLAB_READ(&own, "rocblas.handle");
  if (own) return own.get();
  const Table& api = context_.api();
  const DeviceGuard current(api, device_);
  HIPLAB_POINT("rocblas.create.begin");
  rocblas_handle created = nullptr;
  HIPLAB_CHECK(api, Where{device_}, rocblas_create_handle, &created);
  HIPLAB_WRITE(&own, "rocblas.handle");
  own = OwnedRocblas(api, created);
  ++context_.counters.handles_rocblas;
  HIPLAB_POINT("rocblas.create.end");
  return created;
}

rocblas_status ThreadRocblas::with_handle(hipStream_t stream, const RocblasCall& call) {
  HIPLAB_POINT("rocblas.enter");
  if (!supported_) {
    throw Error("rocBLAS is not available on device " + std::to_string(device_));
  }
  const rocblas_handle handle = own_handle();
  HIPLAB_CHECK(context_.api(), (Where{device_, stream}), rocblas_set_stream, handle, stream);
  HIPLAB_POINT("rocblas.rebind.done");
  const rocblas_status status = call(handle);
  HIPLAB_POINT("rocblas.leave");
  return status;
}

}  // namespace hiplab::forms
