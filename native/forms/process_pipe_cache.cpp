#include "forms/process_pipe_cache.h"

#include <mutex>
#include <utility>

#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::forms {

using namespace hiplab::backend;  // NOLINT: this file is one form of a backend part

hipblasStatus_t ProcessPipeCache::run(const PipeKey& key, const MakePipe& make,
                                      const UsePipe& use) {
  Pipe* pipe = nullptr;
  {
    const std::lock_guard lock(mutex_);
    HIPLAB_READ(&pipes_, "pipe.map");
    if (const auto found = pipes_.find(key); found != pipes_.end()) pipe = found->second.get();
  }
  if (pipe != nullptr) {
    HIPLAB_POINT("pipe.found");
    const hipblasStatus_t status = use(pipe->descriptors, pipe->algorithm, false);
    if (succeeded(status)) return status;
    {
      const std::lock_guard lock(mutex_);
      HIPLAB_WRITE(&pipes_, "pipe.map");
      pipes_.erase(key);  // destroys the descriptor and the layouts, whoever still uses them
    }
    HIPLAB_POINT("pipe.erased");
  }
  std::unique_ptr<Pipe> made = make();
  {
    const std::lock_guard lock(mutex_);
    HIPLAB_WRITE(&pipes_, "pipe.map");
    pipe = pipes_.try_emplace(key, std::move(made)).first->second.get();
  }
  HIPLAB_POINT("pipe.inserted");
  return use(pipe->descriptors, pipe->algorithm, true);
}

}  // namespace hiplab::forms
