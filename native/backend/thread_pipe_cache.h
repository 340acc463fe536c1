// Pipes per thread. hipblasLtMatmul writes into the descriptor, so a pipe that threads share fails
// however it is owned (mlxcel 2208: 0 of 5 processes pass with shared_ptr, 20 of 20 with
// thread-local pipes).
#pragma once

#include <memory>
#include <unordered_map>

#include "backend/per_thread.h"
#include "backend/pipe_cache.h"

namespace hiplab::backend {

// A thread's pipes are destroyed when the thread ends, the rest with the cache. The cache must not
// be in use when it is destroyed.
class ThreadPipeCache final : public PipeCache {
 public:
  hipblasStatus_t run(const PipeKey& key, const MakePipe& make, const UsePipe& use) override;

 private:
  using Pipes = std::unordered_map<PipeKey, std::unique_ptr<Pipe>, PipeKeyHash>;

  PerThread<Pipes> pipes_{"thread pipes"};
};

}  // namespace hiplab::backend
