#include "backend/command_stream.h"

#include <cstdio>

#include "backend/device_guard.h"

namespace hiplab::backend {

CommandStream::CommandStream(const Context& context, Device& device)
    : context_(context), device_(device) {
  const DeviceGuard current(context.api(), device.index());
  hipStream_t raw = nullptr;
  HIPLAB_CHECK(context.api(), Where{device.index()}, hipStreamCreateWithFlags, &raw,
               hipStreamNonBlocking);
  stream_ = OwnedStream(context.api(), raw);
}

CommandStream::~CommandStream() {
  const Table& api = context_.api();
  if (const hipError_t status = api.hipStreamSynchronize(stream_.get()); status != hipSuccess) {
    // Nowhere to throw to, but not to be lost either: the work on it did not end well.
    std::fprintf(stderr, "warning: closing a stream of device %d: %s\n", device_.index(),
                 status_name(api, status).c_str());
  }
  device_.workspaces().release(stream_.get());
  device_.rocblas().forget(stream_.get());
}

void CommandStream::synchronize() const {
  HIPLAB_CHECK(context_.api(), where(), hipStreamSynchronize, stream_.get());
}

bool CommandStream::idle() const {
  const hipError_t status = context_.api().hipStreamQuery(stream_.get());
  if (status == hipErrorNotReady) return false;
  check(context_.api(), status, "hipStreamQuery", where());
  return true;
}

}  // namespace hiplab::backend
