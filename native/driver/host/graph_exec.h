// An executable graph: a snapshot of a graph that can be launched many times.
#pragma once

#include <memory>
#include <vector>

#include "driver/host/graph.h"
#include "driver/host/queue.h"
#include "sync/mutex.h"

namespace hiplab::driver::host {

// Thread-safe. A launch holds its executable, so one that is destroyed while it runs goes on.
//
// The branch where the capture began runs on the launching stream's queue, each other branch on a
// queue of the executable's own, at the same time. Launches of one executable run one after
// another, whatever their streams, as CUDA documents; two executables know nothing of each other.
class GraphExec : public std::enable_shared_from_this<GraphExec> {
 public:
  // Takes a snapshot of the graph.
  explicit GraphExec(const Graph& graph);
  ~GraphExec();
  GraphExec(const GraphExec&) = delete;
  GraphExec& operator=(const GraphExec&) = delete;

  const Graph& graph() const { return graph_; }
  // As Queue::enqueue. On an error nothing runs.
  rocm::hipError_t launch(Queue& stream);

 private:
  class Launch;
  std::size_t branch_of(Graph::NodeId id) const {
    return static_cast<std::size_t>(graph_.nodes()[id].branch);
  }

  const Graph graph_;
  // Nodes that another branch waits for, and the last of every branch but the first.
  std::vector<bool> awaited_;
  Graph::Nodes last_of_branches_;
  std::vector<std::shared_ptr<Queue>> branches_;  // [0] is unused: the launching stream's
  sync::Mutex mutex_{"graph launch"};             // one launch is enqueued at a time
  std::shared_ptr<Marker> previous_;  // the end of the launch before; null before the first
};

}  // namespace hiplab::driver::host
