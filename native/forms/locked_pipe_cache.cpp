#include "forms/locked_pipe_cache.h"

#include <mutex>
#include <utility>

#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is one form of a backend part

hipblasStatus_t LockedPipeCache::run(const PipeKey& key, const MakePipe& make, const UsePipe& use) {
  const std::lock_guard lock(mutex_);
  HIPLAB_READ(&pipes_, "pipe.map");
  if (const auto found = pipes_.find(key); found != pipes_.end()) {
    HIPLAB_POINT("pipe.found");
    Pipe& pipe = *found->second;
    const hipblasStatus_t status = use(pipe.descriptors, pipe.algorithm, false);
    if (succeeded(status)) return status;
    HIPLAB_WRITE(&pipes_, "pipe.map");
    pipes_.erase(found);
    HIPLAB_POINT("pipe.erased");
  }
  std::unique_ptr<Pipe> pipe = make();
  const hipblasStatus_t status = use(pipe->descriptors, pipe->algorithm, true);
  if (succeeded(status)) {
    HIPLAB_WRITE(&pipes_, "pipe.map");
    pipes_.emplace(key, std::move(pipe));
    HIPLAB_POINT("pipe.inserted");
  }
  return status;
}

}  // namespace hiplab::forms
