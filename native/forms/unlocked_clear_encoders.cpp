#include "forms/unlocked_clear_encoders.h"

#include <mutex>
#include <utility>

#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::forms {

using backend::Encoder;

namespace {

// As a reference into the map: owns nothing.
std::shared_ptr<Encoder> borrowed(Encoder* encoder) {
  return std::shared_ptr<Encoder>(std::shared_ptr<void>(), encoder);
}

}  // namespace

std::shared_ptr<Encoder> UnlockedClearEncoders::get(backend::hipStream_t stream) {
  HIPLAB_POINT("encoders.enter");
  Encoder* encoder = nullptr;
  {
    const std::lock_guard lock(mutex_);
    HIPLAB_READ(&encoders_, "encoders.map");
    const auto found = encoders_.find(stream);
    if (found != encoders_.end()) {
      encoder = found->second.get();
    } else {
      HIPLAB_POINT("encoders.create.begin");
      auto made = std::make_unique<Encoder>(context_, device_, stream, workspaces_);
      HIPLAB_WRITE(&encoders_, "encoders.map");
      encoder = encoders_.emplace(stream, std::move(made)).first->second.get();
      HIPLAB_POINT("encoders.create.end");
    }
  }
  HIPLAB_POINT("encoders.leave");
  return borrowed(encoder);
}

std::shared_ptr<Encoder> UnlockedClearEncoders::find(backend::hipStream_t stream) {
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&encoders_, "encoders.map");
  const auto found = encoders_.find(stream);
  return found == encoders_.end() ? nullptr : borrowed(found->second.get());
}

void UnlockedClearEncoders::drop(backend::hipStream_t stream) {
  std::unique_ptr<Encoder> dropped;  // destroyed after the lock
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&encoders_, "encoders.map");
  const auto found = encoders_.find(stream);
  if (found == encoders_.end()) return;
  dropped = std::move(found->second);
  HIPLAB_WRITE(&encoders_, "encoders.map");
  encoders_.erase(found);
}

void UnlockedClearEncoders::clear() {
  HIPLAB_POINT("encoders.clear.begin");
  HIPLAB_WRITE(&encoders_, "encoders.map");
  encoders_.clear();
  HIPLAB_POINT("encoders.clear.end");
}

}  // namespace hiplab::forms
