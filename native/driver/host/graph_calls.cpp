// HIP's graph calls on the software device.
#include <memory>
#include <new>

#include "driver/host/capture.h"
#include "driver/host/graph_handles.h"
#include "driver/host/machine.h"
#include "driver/host/refusal.h"
#include "driver/host/tables.h"

namespace hiplab::driver::host {

GraphHandles& graph_handles() {
  // Leaked: threads may still call while the process exits.
  static auto* const all = new GraphHandles;
  return *all;
}

namespace {

hipError_t graph_instantiate(hipGraphExec_t* exec, hipGraph_t handle, hipGraphNode_t* error_node,
                             char* log, size_t log_bytes) {
  if (const auto e = refused(Call::create)) return e;
  if (exec == nullptr) return hipErrorInvalidValue;
  const auto graph = graph_handles().graphs.find(handle);
  if (graph == nullptr) return hipErrorInvalidValue;
  // No graph that a capture made is refused, so there is never a node or a text to tell.
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && log_bytes > 0) log[0] = '\0';
  try {
    *exec = graph_handles().execs.add(std::make_shared<GraphExec>(*graph));
  } catch (const std::bad_alloc&) {
    return hipErrorOutOfMemory;
  }
  return hipSuccess;
}

// On a stream that captures, the graph's nodes become part of that capture, as CUDA documents of a
// child graph.
hipError_t graph_launch(hipGraphExec_t handle, hipStream_t stream) {
  if (const auto e = refused(Call::enqueue)) return e;
  const auto exec = graph_handles().execs.find(handle);
  if (exec == nullptr) return hipErrorInvalidValue;
  const auto queue = machine().queue(stream);
  if (queue == nullptr) return hipErrorInvalidHandle;
  // hipFree waits for one device: a graph here stays on the device where it was captured.
  if (queue->device() != exec->graph().device()) return hipErrorInvalidValue;
  try {
    if (captures().open()) {
      if (const auto captured = captures().add_child(stream, exec->graph())) return *captured;
    }
    return exec->launch(*queue);
  } catch (const std::bad_alloc&) {
    return hipErrorOutOfMemory;
  }
}

hipError_t graph_destroy(hipGraph_t graph) {
  if (const auto e = refused(Call::destroy)) return e;
  return graph_handles().graphs.erase(graph) ? hipSuccess : hipErrorInvalidValue;
}

hipError_t graph_exec_destroy(hipGraphExec_t exec) {
  if (const auto e = refused(Call::destroy)) return e;
  return graph_handles().execs.erase(exec) ? hipSuccess : hipErrorInvalidValue;
}

}  // namespace

void fill_graphs(Table& t) {
  t.hipGraphInstantiate = graph_instantiate;
  t.hipGraphLaunch = graph_launch;
  t.hipGraphDestroy = graph_destroy;
  t.hipGraphExecDestroy = graph_exec_destroy;
}

}  // namespace hiplab::driver::host
