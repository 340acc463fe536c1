// The handles of graphs and executable graphs that are alive.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "driver/host/graph.h"
#include "driver/host/graph_exec.h"
#include "driver/rocm_types.h"

namespace hiplab::driver::host {

// Objects behind handles: a handle is its object's address. Thread-safe.
template <typename Handle, typename Object>
class Handles {
 public:
  Handle add(std::shared_ptr<Object> object) {
    const auto handle = reinterpret_cast<Handle>(object.get());
    std::lock_guard lock(mutex_);
    objects_.emplace(handle, std::move(object));
    return handle;
  }
  // Null for a handle that is not alive.
  std::shared_ptr<Object> find(Handle handle) {
    std::lock_guard lock(mutex_);
    const auto it = objects_.find(handle);
    return it == objects_.end() ? nullptr : it->second;
  }
  bool erase(Handle handle) {
    std::shared_ptr<Object> last;  // dies after the lock
    std::lock_guard lock(mutex_);
    const auto it = objects_.find(handle);
    if (it == objects_.end()) return false;
    last = std::move(it->second);
    objects_.erase(it);
    return true;
  }
  std::int64_t size() {
    std::lock_guard lock(mutex_);
    return static_cast<std::int64_t>(objects_.size());
  }

 private:
  std::mutex mutex_;
  std::unordered_map<Handle, std::shared_ptr<Object>> objects_;
};

struct GraphHandles {
  Handles<rocm::hipGraph_t, Graph> graphs;
  Handles<rocm::hipGraphExec_t, GraphExec> execs;
};

GraphHandles& graph_handles();

}  // namespace hiplab::driver::host
