#include "backend/command_stream.h"

#include <cstdio>
#include <utility>
#include <vector>

#include "backend/capture_guard.h"
#include "backend/device_guard.h"
#include "backend/stream_errors.h"

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
  const RelaxedCapture relaxed(api);  // another stream may be capturing
  if (const hipError_t status = api.hipStreamSynchronize(stream_.get()); status != hipSuccess) {
    // Nowhere to throw to, but not to be lost either: the work on it did not end well.
    std::fprintf(stderr, "warning: closing a stream of device %d: %s\n", device_.index(),
                 status_name(api, status).c_str());
  }
  device_.encoders().drop(stream_.get());
  device_.workspaces().release(stream_.get());
  device_.rocblas().forget(stream_.get());
  if (context_.errors != nullptr) context_.errors->forget(where());
}

void CommandStream::synchronize() const {
  // What is kept before the wait begins may go after it; what is kept meanwhile may not.
  std::vector<std::shared_ptr<const void>> done;
  if (const auto encoder = device_.encoders().find(stream_.get())) {
    done = encoder->take_temporaries();
  }
  try {
    HIPLAB_CHECK(context_.api(), where(), hipStreamSynchronize, stream_.get());
  } catch (const Error& error) {
    if (context_.errors != nullptr) context_.errors->record(where(), error.what());
    throw;
  }
}

void CommandStream::keep(std::shared_ptr<const void> temporary) const {
  device_.encoders().get(stream_.get())->keep(std::move(temporary));
}

std::string CommandStream::last_error() const {
  return context_.errors != nullptr ? context_.errors->last(where()) : std::string();
}

bool CommandStream::idle() const {
  const hipError_t status = context_.api().hipStreamQuery(stream_.get());
  if (status == hipErrorNotReady) return false;
  check(context_.api(), status, "hipStreamQuery", where());
  return true;
}

}  // namespace hiplab::backend
