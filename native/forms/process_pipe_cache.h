// FILED form of the pipe cache (mlxcel 2200): one map for the process under a mutex, whose pipes
// are used by address after the mutex has been released.
#pragma once

#include <memory>
#include <unordered_map>

#include "backend/pipe_cache.h"
#include "sync/mutex.h"

namespace hiplab::forms {

// Not thread-safe: two threads run matmul with one descriptor, and a failed matmul destroys a pipe
// that another thread may be using. That is the finding.
class ProcessPipeCache final : public backend::PipeCache {
 public:
  backend::hipblasStatus_t run(const backend::PipeKey& key, const backend::MakePipe& make,
                               const backend::UsePipe& use) override;

 private:
  sync::Mutex mutex_{"pipe cache"};
  std::unordered_map<backend::PipeKey, std::unique_ptr<backend::Pipe>, backend::PipeKeyHash> pipes_;
};

}  // namespace hiplab::forms
