#include "forms/held_clear_encoders.h"

#include <mutex>

#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::forms {

using backend::Encoder;

std::shared_ptr<Encoder> HeldClearEncoders::get(backend::hipStream_t stream) {
  HIPLAB_POINT("encoders.enter");
  std::shared_ptr<Encoder> encoder;
  {
    const std::lock_guard lock(mutex_);
    HIPLAB_READ(&encoders_, "encoders.map");
    std::shared_ptr<Encoder>& entry = encoders_[stream];
    if (!entry) {
      HIPLAB_POINT("encoders.create.begin");
      HIPLAB_WRITE(&encoders_, "encoders.map");
      entry = std::make_shared<Encoder>(context_, device_, stream, workspaces_);
      HIPLAB_POINT("encoders.create.end");
    }
    encoder = entry;
  }
  HIPLAB_POINT("encoders.leave");
  return encoder;
}

std::shared_ptr<Encoder> HeldClearEncoders::find(backend::hipStream_t stream) {
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&encoders_, "encoders.map");
  const auto found = encoders_.find(stream);
  return found == encoders_.end() ? nullptr : found->second;
}

void HeldClearEncoders::drop(backend::hipStream_t stream) {
  const std::lock_guard lock(mutex_);
  HIPLAB_WRITE(&encoders_, "encoders.map");
  encoders_.erase(stream);
}

void HeldClearEncoders::clear() {
  const std::lock_guard lock(mutex_);
  HIPLAB_POINT("encoders.clear.begin");
  HIPLAB_WRITE(&encoders_, "encoders.map");
  encoders_.clear();
  HIPLAB_POINT("encoders.clear.end");
}

}  // namespace hiplab::forms
