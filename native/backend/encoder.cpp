#include "backend/encoder.h"

#include <mutex>
#include <thread>
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
  const bool waited = wait_for_stream();
  retire();
  // Dies here, where the mode is relaxed, when nobody takes over what is left of it.
  Unfreed unfreed(stream_, std::move(workspace_), std::move(temporaries_));
  if (waited) unfreed.free(context_.api());
  ++context_.counters.ended_encoders;
  HIPLAB_POINT("encoders.destroy.end");
  if (ended_) ended_(std::move(unfreed));
}

bool Encoder::wait_for_stream() {
  // Whoever else was the last to use it is enqueuing, in a host callback perhaps, and what the
  // stream waits for may have to come from that thread.
  if (ended_ && std::this_thread::get_id() != ender_) return false;
  const hipError_t status = context_.api().hipStreamSynchronize(stream_);
  if (!succeeded(status) && context_.errors != nullptr) {
    context_.errors->record({device_, stream_},
                            "hipStreamSynchronize failed: " + status_name(context_.api(), status));
  }
  return succeeded(status);
}

void Encoder::on_end(std::function<void(Unfreed)> ended) {
  ended_ = std::move(ended);
  ender_ = std::this_thread::get_id();
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
