#include "driver/host/graph.h"

namespace hiplab::driver::host {

Graph::NodeId Graph::add(Queue::Step step, Nodes after, int branch) {
  nodes_.push_back({std::move(step), std::move(after), branch});
  return nodes_.size() - 1;
}

Graph::Nodes Graph::add_child(const Graph& child, const Nodes& after, int branch) {
  const NodeId first = nodes_.size();
  for (const Node& node : child.nodes()) {
    int own = branch;
    if (node.branch != 0) {
      // Children that follow each other share their side branches: each is a queue with a thread.
      const auto [it, is_new] = child_branches_.try_emplace({branch, node.branch}, 0);
      if (is_new) it->second = add_branch();
      own = it->second;
    }
    Nodes before;
    for (const NodeId id : node.after) before.push_back(first + id);
    add(node.step, before.empty() ? after : std::move(before), own);
  }
  Nodes last;
  for (const NodeId id : child.leaves()) last.push_back(first + id);
  return last.empty() ? after : last;
}

Graph::Nodes Graph::leaves() const {
  std::vector<bool> followed(nodes_.size(), false);
  for (const Node& node : nodes_) {
    for (const NodeId id : node.after) followed[id] = true;
  }
  Nodes result;
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    if (!followed[id]) result.push_back(id);
  }
  return result;
}

}  // namespace hiplab::driver::host
