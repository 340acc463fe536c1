#include "backend/thread_pipe_cache.h"

#include <atomic>
#include <utility>

#include "sync/point.h"

namespace hiplab::backend {
namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

// This thread's pipes, by cache.
thread_local std::unordered_map<std::uint64_t, std::shared_ptr<ThreadPipeCache::Pipes>> t_pipes;

}  // namespace

ThreadPipeCache::ThreadPipeCache() : id_(next_id()) {}

ThreadPipeCache::~ThreadPipeCache() {
  // Threads that still live hold on to an empty map; one that ends right now destroys its own.
  const std::lock_guard lock(mutex_);
  for (const auto& entry : all_) {
    if (const auto pipes = entry.lock()) pipes->clear();
  }
}

ThreadPipeCache::Pipes& ThreadPipeCache::mine() {
  std::shared_ptr<Pipes>& pipes = t_pipes[id_];
  if (!pipes) {
    pipes = std::make_shared<Pipes>();
    const std::lock_guard lock(mutex_);
    std::erase_if(all_, [](const auto& entry) { return entry.expired(); });
    all_.push_back(pipes);
  }
  return *pipes;
}

hipblasStatus_t ThreadPipeCache::run(const PipeKey& key, const MakePipe& make, const UsePipe& use) {
  Pipes& pipes = mine();
  if (const auto found = pipes.find(key); found != pipes.end()) {
    HIPLAB_POINT("pipe.found");
    const hipblasStatus_t status = use(*found->second, false);
    if (succeeded(status)) return status;
    pipes.erase(found);
    HIPLAB_POINT("pipe.erased");
  }
  std::unique_ptr<Pipe> pipe = make();
  const hipblasStatus_t status = use(*pipe, true);
  if (succeeded(status)) pipes.emplace(key, std::move(pipe));
  return status;
}

}  // namespace hiplab::backend
