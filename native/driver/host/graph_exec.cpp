#include "driver/host/graph_exec.h"

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "driver/host/machine.h"

namespace hiplab::driver::host {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

// One launch on its way: its steps for each branch, and what they tell each other. Steps hold their
// queue by markers and never block, as hardware queues serve other streams too.
class GraphExec::Launch : public std::enable_shared_from_this<GraphExec::Launch> {
 public:
  explicit Launch(std::shared_ptr<const GraphExec> exec) : exec_(std::move(exec)) {
    for (const bool awaited : exec_->awaited_) {
      reached_.push_back(awaited ? std::make_shared<Marker>() : nullptr);
    }
  }

  // By branch. Whatever a step waits for comes before it in its launch, or belongs to `previous`.
  std::vector<std::vector<Step>> steps(const std::shared_ptr<Marker>& previous) {
    const auto self = shared_from_this();
    std::vector<std::vector<Step>> of(exec_->branches_.size());
    if (previous != nullptr) wait(of[0], previous);
    of[0].push_back(unnamed([self] { self->begun_->complete(); }));
    for (std::size_t branch = 1; branch < of.size(); ++branch) wait(of[branch], begun_);
    const auto& nodes = exec_->graph_.nodes();
    for (Graph::NodeId id = 0; id < nodes.size(); ++id) {
      auto& steps = of[exec_->branch_of(id)];
      for (const Graph::NodeId before : nodes[id].after) {
        if (nodes[before].branch != nodes[id].branch) wait(steps, reached_[before]);
      }
      steps.push_back([self, id] { return self->run(id); });
      steps.back().name = nodes[id].step.name;
      if (reached_[id] != nullptr) {
        steps.push_back(unnamed([self, id] { self->reached_[id]->complete(); }));
      }
    }
    for (const Graph::NodeId last : exec_->last_of_branches_) wait(of[0], reached_[last]);
    of[0].push_back(unnamed([self] { self->finish(); }));
    return of;
  }

  // The launch cannot be enqueued wholly: what has been does nothing.
  void cancel() {
    cancelled_ = true;
    begun_->complete();
    for (const auto& marker : reached_) {
      if (marker != nullptr) marker->complete();
    }
  }

  const std::shared_ptr<Marker>& done() const { return done_; }

 private:
  // What branches tell each other is no work.
  static Step unnamed(Step step) {
    step.name = "";
    return step;
  }

  static void wait(std::vector<Step>& steps, std::shared_ptr<Marker> marker) {
    steps.push_back([marker = std::move(marker)] { return marker; });
    steps.back().name = "graph-wait";
  }

  std::shared_ptr<Marker> run(Graph::NodeId id) {
    if (cancelled_) return nullptr;
    try {
      return exec_->graph_.nodes()[id].step();
    } catch (...) {
      failed_ = true;
      throw;
    }
  }

  void finish() {
    done_->complete();
    // A side branch's queue has the failure; the stream must tell it too.
    if (failed_) throw std::runtime_error("a node of the launched graph failed");
  }

  const std::shared_ptr<const GraphExec> exec_;
  std::vector<std::shared_ptr<Marker>> reached_;  // by node; null where nobody waits
  const std::shared_ptr<Marker> begun_ = std::make_shared<Marker>();
  const std::shared_ptr<Marker> done_ = std::make_shared<Marker>();
  std::atomic<bool> cancelled_{false};
  std::atomic<bool> failed_{false};
};

GraphExec::GraphExec(const Graph& graph)
    : graph_(graph),
      awaited_(graph.nodes().size(), false),
      branches_(static_cast<std::size_t>(graph.branches())) {
  for (std::size_t i = 1; i < branches_.size(); ++i) {
    branches_[i] = machine().create_queue(graph.device());
  }
  constexpr Graph::NodeId kNone = static_cast<Graph::NodeId>(-1);
  Graph::Nodes last(branches_.size(), kNone);
  const auto& nodes = graph_.nodes();
  for (Graph::NodeId id = 0; id < nodes.size(); ++id) {
    for (const Graph::NodeId before : nodes[id].after) {
      if (nodes[before].branch != nodes[id].branch) awaited_[before] = true;
    }
    last[branch_of(id)] = id;
  }
  for (std::size_t branch = 1; branch < last.size(); ++branch) {
    if (last[branch] == kNone) continue;  // a stream that was drawn in and got no work
    awaited_[last[branch]] = true;
    last_of_branches_.push_back(last[branch]);
  }
}

GraphExec::~GraphExec() {
  for (const auto& branch : branches_) {
    if (branch != nullptr) branch->close();
  }
}

// The stream's own steps come last: the others wait for the first of them, so that an error here
// leaves nothing that runs.
hipError_t GraphExec::launch(Queue& stream) {
  std::lock_guard lock(mutex_);
  const auto launch = std::make_shared<Launch>(shared_from_this());
  auto steps = launch->steps(previous_);
  hipError_t queued = hipSuccess;
  for (std::size_t branch = 1; branch < steps.size() && queued == hipSuccess; ++branch) {
    queued = branches_[branch]->enqueue_all(std::move(steps[branch]));
  }
  // In one go: nothing that another thread enqueues comes between a launch's nodes.
  if (queued == hipSuccess) queued = stream.enqueue_all(std::move(steps[0]));
  if (queued != hipSuccess) {
    launch->cancel();
    return queued;
  }
  previous_ = launch->done();
  return hipSuccess;
}

}  // namespace hiplab::driver::host
