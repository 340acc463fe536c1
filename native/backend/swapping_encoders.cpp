#include "backend/swapping_encoders.h"

#include <mutex>
#include <utility>
#include <vector>

#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::backend {

std::shared_ptr<Encoder> SwappingEncoders::get(hipStream_t stream) {
  HIPLAB_POINT("encoders.enter");
  std::shared_ptr<Encoder> encoder;
  {
    const std::lock_guard lock(mutex_);
    HIPLAB_READ(&encoders_, "encoders.map");
    const auto found = encoders_.find(stream);
    if (found != encoders_.end()) {
      encoder = found->second;
    } else {
      HIPLAB_POINT("encoders.create.begin");
      encoder = std::make_shared<Encoder>(context_, device_, stream, workspaces_);
      HIPLAB_WRITE(&encoders_, "encoders.map");
      encoders_.emplace(stream, encoder);
      HIPLAB_POINT("encoders.create.end");
    }
  }
  HIPLAB_POINT("encoders.leave");
  return encoder;
}

std::shared_ptr<Encoder> SwappingEncoders::find(hipStream_t stream) {
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&encoders_, "encoders.map");
  const auto found = encoders_.find(stream);
  return found == encoders_.end() ? nullptr : found->second;
}

void SwappingEncoders::drop(hipStream_t stream) {
  std::shared_ptr<Encoder> dropped;  // destroyed after the lock
  std::unique_lock lock(mutex_);
  // One that a clear has taken out still waits for the stream.
  ended_.wait(lock, [&] { return !ending_.contains(stream); });
  capturing_.erase(stream);
  HIPLAB_READ(&encoders_, "encoders.map");
  const auto found = encoders_.find(stream);
  if (found == encoders_.end()) return;
  found->second->retire();
  dropped = std::move(found->second);
  HIPLAB_WRITE(&encoders_, "encoders.map");
  encoders_.erase(found);
}

void SwappingEncoders::clear() {
  std::vector<std::shared_ptr<Encoder>> cleared;  // destroyed after the lock
  {
    const std::lock_guard lock(mutex_);
    HIPLAB_POINT("encoders.clear.begin");
    HIPLAB_WRITE(&encoders_, "encoders.map");
    for (auto entry = encoders_.begin(); entry != encoders_.end();) {
      // What was captured without Backend::capture is known to the driver alone.
      const hipStream_t stream = entry->first;
      if (ending_.contains(stream) || capturing_.contains(stream) || entry->second->capturing()) {
        ++entry;
        continue;
      }
      // The buffer goes with the encoder while nobody can make the stream's next one: threads that
      // are enqueuing into it now hold this encoder until they have.
      entry->second->retire();
      entry->second->on_end([this, stream] { ended(stream); });
      ending_.insert(stream);
      cleared.push_back(std::move(entry->second));
      entry = encoders_.erase(entry);
    }
    HIPLAB_POINT("encoders.clear.end");
  }
}

void SwappingEncoders::ended(hipStream_t stream) {
  const std::lock_guard lock(mutex_);
  ending_.erase(stream);
  ended_.notify_all();
}

void SwappingEncoders::capture_begins(hipStream_t stream) {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return !ending_.contains(stream); });
  capturing_.insert(stream);
}

void SwappingEncoders::capture_ended(hipStream_t stream) {
  const std::lock_guard lock(mutex_);
  // None when the stream was dropped meanwhile.
  if (const auto found = capturing_.find(stream); found != capturing_.end()) {
    capturing_.erase(found);
  }
}

}  // namespace hiplab::backend
