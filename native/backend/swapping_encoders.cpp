#include "backend/swapping_encoders.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "backend/capture_guard.h"
#include "backend/capture_status.h"
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

SwappingEncoders::~SwappingEncoders() {
  const RelaxedCapture relaxed(context_.api());
  unfreed_.clear();
}

void SwappingEncoders::drop(hipStream_t stream) {
  std::shared_ptr<Encoder> dropped;  // destroyed after the lock
  std::vector<std::unique_ptr<OpenCapture>> ended_captures;
  {
    std::unique_lock lock(mutex_);
    // One that a clear has taken out still waits for the stream.
    ended_.wait(lock, [&] { return !ending_.contains(stream); });
    capturing_.erase(stream);
    // One that its owner could not end ends with the stream.
    while (auto found = open_captures_.extract(stream)) {
      ended_captures.push_back(std::move(found.mapped()));
    }
    HIPLAB_READ(&encoders_, "encoders.map");
    const auto found = encoders_.find(stream);
    if (found != encoders_.end()) {
      found->second->retire();
      found->second->on_end([this, stream](Unfreed unfreed) { ended(stream, std::move(unfreed)); });
      dropped = std::move(found->second);
      HIPLAB_WRITE(&encoders_, "encoders.map");
      encoders_.erase(found);
    }
  }
  dropped.reset();
  free_unfreed_of(stream);
}

void SwappingEncoders::clear() {
  std::vector<std::shared_ptr<Encoder>> cleared;  // destroyed after the lock
  {
    const std::lock_guard lock(mutex_);
    HIPLAB_POINT("encoders.clear.begin");
    HIPLAB_WRITE(&encoders_, "encoders.map");
    for (auto entry = encoders_.begin(); entry != encoders_.end();) {
      const hipStream_t stream = entry->first;
      if (leave_alone(stream)) {
        ++entry;
        continue;
      }
      // The buffer goes with the encoder while nobody can make the stream's next one: threads that
      // are enqueuing into it now hold this encoder until they have.
      entry->second->retire();
      entry->second->on_end([this, stream](Unfreed unfreed) { ended(stream, std::move(unfreed)); });
      ending_.insert(stream);
      cleared.push_back(std::move(entry->second));
      entry = encoders_.erase(entry);
    }
    HIPLAB_POINT("encoders.clear.end");
  }
  cleared.clear();
  free_unfreed();  // last: what other threads have handed over meanwhile goes, too
}

bool SwappingEncoders::leave_alone(hipStream_t stream) const {
  // What was captured without Backend::capture is known to the driver alone.
  return ending_.contains(stream) || capturing_.contains(stream) ||
         known_to_capture(context_.api(), stream);
}

void SwappingEncoders::ended(hipStream_t stream, Unfreed unfreed) {
  const std::lock_guard lock(mutex_);
  ending_.erase(stream);
  ended_.notify_all();
  keep(std::move(unfreed));
}

void SwappingEncoders::keep(Unfreed unfreed) {
  if (unfreed.empty()) return;
  try {
    unfreed_.push_back(std::move(unfreed));
  } catch (const std::bad_alloc&) {
    // No memory to keep it: it dies here, freed or not.
  }
}

template <typename Stays>
std::vector<Unfreed> SwappingEncoders::take_unfreed(Stays stays) {
  const auto first = std::partition(unfreed_.begin(), unfreed_.end(), stays);
  std::vector<Unfreed> taken{std::move_iterator(first), std::move_iterator(unfreed_.end())};
  unfreed_.erase(first, unfreed_.end());
  return taken;
}

void SwappingEncoders::free_unfreed() {
  std::vector<Unfreed> tried;
  {
    const std::lock_guard lock(mutex_);
    tried = take_unfreed(
        [this](const Unfreed& one) { return one.stream() && leave_alone(*one.stream()); });
    for (const Unfreed& one : tried) {
      if (one.stream()) ending_.insert(*one.stream());
    }
  }
  if (tried.empty()) return;
  const RelaxedCapture relaxed(context_.api());
  for (Unfreed& one : tried) one.wait_and_free(context_.api());
  const std::lock_guard lock(mutex_);
  for (Unfreed& one : tried) {
    if (one.stream()) ending_.erase(*one.stream());
    keep(std::move(one));
  }
  ended_.notify_all();
}

void SwappingEncoders::free_unfreed_of(hipStream_t stream) {
  std::vector<Unfreed> tried;
  {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [&] { return !ending_.contains(stream); });
    tried = take_unfreed([&](const Unfreed& one) { return one.stream() != stream; });
  }
  if (tried.empty()) return;
  const RelaxedCapture relaxed(context_.api());
  for (Unfreed& one : tried) {
    one.wait_and_free(context_.api());
    one.stream_closes();
  }
  const std::lock_guard lock(mutex_);
  for (Unfreed& one : tried) keep(std::move(one));
}

void SwappingEncoders::capture_begins(hipStream_t stream) {
  auto open = std::make_unique<OpenCapture>();
  join_begins(stream);
  const std::lock_guard lock(mutex_);
  open_captures_.emplace(stream, std::move(open));
}

void SwappingEncoders::capture_ended(hipStream_t stream) {
  std::unique_ptr<OpenCapture> ended;  // dies after the lock
  {
    const std::lock_guard lock(mutex_);
    // None when the stream was dropped meanwhile.
    if (auto found = open_captures_.extract(stream)) ended = std::move(found.mapped());
  }
  join_ended(stream);
}

void SwappingEncoders::join_begins(hipStream_t stream) {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return !ending_.contains(stream); });
  capturing_.insert(stream);
}

void SwappingEncoders::join_ended(hipStream_t stream) {
  const std::lock_guard lock(mutex_);
  // None when the stream was dropped meanwhile.
  if (const auto found = capturing_.find(stream); found != capturing_.end()) {
    capturing_.erase(found);
  }
}

}  // namespace hiplab::backend
