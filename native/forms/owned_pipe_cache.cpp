#include "forms/owned_pipe_cache.h"

#include <mutex>
#include <utility>

#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is two forms of a backend part

OwnedPipeCache::SharedPipe OwnedPipeCache::find(const PipeKey& key) {
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&pipes_, "pipe.map");
  const auto found = pipes_.find(key);
  return found == pipes_.end() ? nullptr : found->second;
}

OwnedPipeCache::SharedPipe OwnedPipeCache::insert(const PipeKey& key, SharedPipe pipe) {
  const std::lock_guard lock(mutex_);
  HIPLAB_WRITE(&pipes_, "pipe.map");
  return pipes_.try_emplace(key, std::move(pipe)).first->second;
}

void OwnedPipeCache::erase(const PipeKey& key, const SharedPipe& pipe) {
  const std::lock_guard lock(mutex_);
  const auto found = pipes_.find(key);
  // Not the one that another thread has made in its place.
  if (found == pipes_.end() || found->second != pipe) return;
  HIPLAB_WRITE(&pipes_, "pipe.map");
  pipes_.erase(found);
}

hipblasStatus_t OwnedPipeCache::run(const PipeKey& key, const MakePipe& make, const UsePipe& use) {
  if (const SharedPipe pipe = find(key)) {
    HIPLAB_POINT("pipe.found");
    const hipblasStatus_t status = use_shared(pipe, use, false);
    if (succeeded(status)) return status;
    erase(key, pipe);
    HIPLAB_POINT("pipe.erased");
  }
  const SharedPipe pipe = insert(key, make());
  HIPLAB_POINT("pipe.inserted");
  return use_shared(pipe, use, true);
}

hipblasStatus_t OwnedPipeCache::use_shared(const SharedPipe& pipe, const UsePipe& use, bool fresh) {
  return use(pipe->descriptors, pipe->algorithm, fresh);
}

hipblasStatus_t AlgorithmCopyPipeCache::use_shared(const SharedPipe& pipe, const UsePipe& use,
                                                   bool fresh) {
  Algorithm copy;
  {
    const std::lock_guard lock(mutex_);
    HIPLAB_READ(&pipe->algorithm, "pipe.algorithm");
    copy = pipe->algorithm;
  }
  const hipblasStatus_t status = use(pipe->descriptors, copy, fresh);
  if (succeeded(status)) {
    const std::lock_guard lock(mutex_);
    HIPLAB_WRITE(&pipe->algorithm, "pipe.algorithm");
    pipe->algorithm = copy;
  }
  return status;
}

}  // namespace hiplab::forms
