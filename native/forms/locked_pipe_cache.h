// MUTEX_HELD form of the pipe cache, which mlxcel 2200 rejected: the mutex is held across the
// matmul. Right, but it serializes the host's enqueue of every hipBLASLt GEMM in the process.
#pragma once

#include <memory>
#include <unordered_map>

#include "backend/pipe_cache.h"
#include "sync/mutex.h"

namespace hiplab::forms {

class LockedPipeCache final : public backend::PipeCache {
 public:
  backend::hipblasStatus_t run(const backend::PipeKey& key, const backend::MakePipe& make,
                               const backend::UsePipe& use) override;

 private:
  sync::Mutex mutex_{"pipe cache"};
  std::unordered_map<backend::PipeKey, std::unique_ptr<backend::Pipe>, backend::PipeKeyHash>
      pipes_;  // mutex_
};

}  // namespace hiplab::forms
