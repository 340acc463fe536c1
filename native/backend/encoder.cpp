#include "backend/encoder.h"

#include <mutex>
#include <utility>

#include "backend/capture_guard.h"
#include "backend/stream_errors.h"
#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::backend {

Encoder::Encoder(const Context& context, int device, hipStream_t stream, Workspaces& workspaces)
    : context_(context), device_(device), stream_(stream), workspaces_(workspaces) {
  ++context.counters.handles_encoders;
}

Encoder::~Encoder() {
  HIPLAB_POINT("encoders.destroy.begin");
  const RelaxedCapture relaxed(context_.api());
  const hipError_t status = context_.api().hipStreamSynchronize(stream_);
  if (!succeeded(status) && context_.errors != nullptr) {
    context_.errors->record({device_, stream_},
                            "hipStreamSynchronize failed: " + status_name(context_.api(), status));
  }
  retire();
  // Dies here, where the mode is relaxed, when nobody takes over what is left of it.
  Unfreed unfreed(stream_, std::move(workspace_), std::move(temporaries_));
  if (succeeded(status)) unfreed.free(context_.api());
  ++context_.counters.ended_encoders;
  HIPLAB_POINT("encoders.destroy.end");
  if (ended_) ended_(std::move(unfreed));
}

void Encoder::retire() {
  if (!workspace_) workspace_ = workspaces_.take(stream_);
}

void Encoder::keep(std::shared_ptr<const void> temporary) {
  const std::lock_guard lock(mutex_);
  HIPLAB_WRITE(&temporaries_, "encoder.temporaries");
  temporaries_.push_back(std::move(temporary));
}

std::vector<std::shared_ptr<const void>> Encoder::take_temporaries() {
  const std::lock_guard lock(mutex_);
  HIPLAB_WRITE(&temporaries_, "encoder.temporaries");
  return std::exchange(temporaries_, {});
}

void Encoder::record_error(const std::string& what) {
  const std::lock_guard lock(mutex_);
  HIPLAB_WRITE(&last_error_, "encoder.last-error");
  last_error_ = what;
}

std::string Encoder::last_error() const {
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&last_error_, "encoder.last-error");
  return last_error_;
}

}  // namespace hiplab::backend
