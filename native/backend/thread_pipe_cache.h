// Pipes per thread. hipblasLtMatmul writes into the descriptor, so a pipe that threads share fails
// however it is owned (mlxcel 2208: 0 of 5 processes pass with shared_ptr, 20 of 20 with
// thread-local pipes).
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "backend/pipe_cache.h"

namespace hiplab::backend {

// A thread's pipes are destroyed when the thread ends, the rest with the cache. The cache must not
// be in use when it is destroyed.
class ThreadPipeCache final : public PipeCache {
 public:
  using Pipes = std::unordered_map<PipeKey, std::unique_ptr<Pipe>, PipeKeyHash>;

  ThreadPipeCache();
  ~ThreadPipeCache() override;

  hipblasStatus_t run(const PipeKey& key, const MakePipe& make, const UsePipe& use) override;

 private:
  Pipes& mine();

  const std::uint64_t id_;  // a dead cache's address may be used again, its id is not
  std::mutex mutex_;
  std::vector<std::weak_ptr<Pipes>> all_;  // mutex_; one for each thread that came by
};

}  // namespace hiplab::backend
