// A captured graph: steps and what each comes after.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "driver/host/queue.h"

namespace hiplab::driver::host {

// Not thread-safe while it grows; a finished graph is only read. Nodes are in an order in which
// every node comes after those that it depends on.
class Graph {
 public:
  using NodeId = std::size_t;
  using Nodes = std::vector<NodeId>;

  struct Node {
    Queue::Step step;
    Nodes after;
    int branch;  // 0: the stream where the capture began; each stream drawn in has its own
  };

  explicit Graph(int device) : device_(device) {}

  int device() const { return device_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  int branches() const { return branches_; }

  int add_branch() { return branches_++; }
  NodeId add(Queue::Step step, Nodes after, int branch);
  // A copy of another graph's nodes, behind `after`. Returns the nodes that nothing of it follows,
  // or `after` when it has none.
  Nodes add_child(const Graph& child, const Nodes& after, int branch);

  // Nodes that no other node comes after.
  Nodes leaves() const;

 private:
  const int device_;
  std::vector<Node> nodes_;
  int branches_ = 1;
  std::map<std::pair<int, int>, int> child_branches_;  // (branch, the child's own) -> branch here
};

}  // namespace hiplab::driver::host
