// Forms of the pipe cache in which threads share a pipe and own it together, so that its
// descriptors live until the last one drops it. Proposed by mlxcel 2200 and superseded by mlxcel
// 2208: matmul writes into the descriptor, and two threads inside it with one descriptor fail all
// the same (0 of 5 processes pass).
#pragma once

#include <memory>
#include <unordered_map>

#include "backend/pipe_cache.h"
#include "sync/mutex.h"

namespace hiplab::forms {

// SHARED_PTR. Not thread-safe: descriptor and algorithm are used after the mutex has been released.
class OwnedPipeCache : public backend::PipeCache {
 public:
  backend::hipblasStatus_t run(const backend::PipeKey& key, const backend::MakePipe& make,
                               const backend::UsePipe& use) override;

 protected:
  using SharedPipe = std::shared_ptr<backend::Pipe>;

  // A pipe with a key that is in the map, or that no other thread knows.
  virtual backend::hipblasStatus_t use_shared(const SharedPipe& pipe, const backend::UsePipe& use,
                                              bool fresh);

  sync::Mutex mutex_{"pipe cache"};

 private:
  SharedPipe find(const backend::PipeKey& key);
  // Adopts the pipe that another thread has put there meanwhile.
  SharedPipe insert(const backend::PipeKey& key, SharedPipe pipe);
  void erase(const backend::PipeKey& key, const SharedPipe& pipe);

  std::unordered_map<backend::PipeKey, SharedPipe, backend::PipeKeyHash> pipes_;  // mutex_
};

// ALGORITHM_COPY: as SHARED_PTR, but the algorithm is copied out, and a better one put back, under
// the lock. Not thread-safe: the descriptor is still shared.
class AlgorithmCopyPipeCache final : public OwnedPipeCache {
 private:
  backend::hipblasStatus_t use_shared(const SharedPipe& pipe, const backend::UsePipe& use,
                                      bool fresh) override;
};

}  // namespace hiplab::forms
