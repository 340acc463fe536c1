#include "backend/thread_pipe_cache.h"

#include <utility>

#include "sync/access.h"
#include "sync/point.h"

namespace hiplab::backend {

hipblasStatus_t ThreadPipeCache::run(const PipeKey& key, const MakePipe& make, const UsePipe& use) {
  Pipes& pipes = pipes_.mine();
  HIPLAB_READ(&pipes, "pipe.map");
  if (const auto found = pipes.find(key); found != pipes.end()) {
    HIPLAB_POINT("pipe.found");
    Pipe& pipe = *found->second;
    const hipblasStatus_t status = use(pipe.descriptors, pipe.algorithm, false);
    if (succeeded(status)) return status;
    HIPLAB_WRITE(&pipes, "pipe.map");
    pipes.erase(found);
    HIPLAB_POINT("pipe.erased");
  }
  std::unique_ptr<Pipe> pipe = make();
  const hipblasStatus_t status = use(pipe->descriptors, pipe->algorithm, true);
  if (succeeded(status)) {
    HIPLAB_WRITE(&pipes, "pipe.map");
    pipes.emplace(key, std::move(pipe));
  }
  return status;
}

}  // namespace hiplab::backend
