#include <array>
#include <utility>

#include "driver/watching_parts.h"
#include "driver/workspace_watch.h"

namespace hiplab::driver {
namespace {

constinit std::array<const Table*, kWatchedTables> inners{};

int current_device(const Table& inner) {
  int device = -1;
  if (inner.hipGetDevice == nullptr || inner.hipGetDevice(&device) != hipSuccess) return -1;
  return device;
}

template <typename Note>
auto noting(Note note) {
  return WorkspaceWatch::get().noting(std::move(note));
}

// The address is noted before the caller, or a thread that reads what is not its own, can know it.
template <typename Allocate>
hipError_t allocate(const Table& inner, void** pointer, size_t bytes, Allocate call) {
  if (pointer == nullptr) return call(pointer);
  void* made = nullptr;
  const hipError_t status = call(&made);
  if (status != hipSuccess) return status;
  WorkspaceWatch::get().allocated(made, bytes, current_device(inner));
  *pointer = made;
  return status;
}

// A call that waits, once it has succeeded, for what `reach` says before it.
template <typename Reach, typename Call>
hipError_t waiting(Reach reach, Call call) {
  const StreamOrder::Reach covered = noting(reach);
  const hipError_t status = call();
  if (status == hipSuccess && !covered.empty()) {
    noting([&](StreamOrder& order) { order.host_waited(covered); });
  }
  return status;
}

template <std::size_t S>
struct Watched {
  static const Table& inner() { return *inners[S]; }

  static hipError_t malloc(void** pointer, size_t bytes) {
    return allocate(inner(), pointer, bytes, [&](void** p) { return inner().hipMalloc(p, bytes); });
  }
  static hipError_t malloc_async(void** pointer, size_t bytes, hipStream_t stream) {
    return allocate(inner(), pointer, bytes,
                    [&](void** p) { return inner().hipMallocAsync(p, bytes, stream); });
  }
  static hipError_t free(void* pointer) {
    auto block = WorkspaceWatch::get().freed(pointer);
    if (block.empty()) return inner().hipFree(pointer);
    const int device = block.mapped().device;
    const hipError_t status =
        waiting([device](StreamOrder& order) { return order.reach_of_device(device); },
                [&] { return inner().hipFree(pointer); });
    if (status != hipSuccess) WorkspaceWatch::get().not_freed(std::move(block));
    return status;
  }
  static hipError_t free_async(void* pointer, hipStream_t stream) {
    auto block = WorkspaceWatch::get().freed(pointer);
    const hipError_t status = inner().hipFreeAsync(pointer, stream);
    if (status != hipSuccess) WorkspaceWatch::get().not_freed(std::move(block));
    return status;
  }

  static hipError_t stream_create(hipStream_t* stream, unsigned flags) {
    const hipError_t status = inner().hipStreamCreateWithFlags(stream, flags);
    if (status == hipSuccess) {
      const int device = current_device(inner());
      noting([&](StreamOrder& order) { order.stream_made(*stream, device); });
    }
    return status;
  }
  static hipError_t stream_destroy(hipStream_t stream) {
    auto gone = noting([&](StreamOrder& order) { return order.stream_gone(stream); });
    const hipError_t status = inner().hipStreamDestroy(stream);
    if (status != hipSuccess) {
      noting([&](StreamOrder& order) { order.stream_stays(std::move(gone)); });
    }
    return status;
  }
  static hipError_t stream_synchronize(hipStream_t stream) {
    return waiting([stream](StreamOrder& order) { return order.reach(stream); },
                   [&] { return inner().hipStreamSynchronize(stream); });
  }
  static hipError_t stream_query(hipStream_t stream) {
    return waiting([stream](StreamOrder& order) { return order.reach(stream); },
                   [&] { return inner().hipStreamQuery(stream); });
  }
  static hipError_t device_synchronize() {
    const int device = current_device(inner());
    return waiting([device](StreamOrder& order) { return order.reach_of_device(device); },
                   [] { return inner().hipDeviceSynchronize(); });
  }

  static hipError_t event_create(hipEvent_t* event, unsigned flags) {
    const hipError_t status = inner().hipEventCreateWithFlags(event, flags);
    if (status == hipSuccess) noting([&](StreamOrder& order) { order.event_gone(*event); });
    return status;
  }
  static hipError_t event_record(hipEvent_t event, hipStream_t stream) {
    noting([&](StreamOrder& order) { order.recorded(event, stream); });
    return inner().hipEventRecord(event, stream);
  }
  static hipError_t event_synchronize(hipEvent_t event) {
    return waiting([event](StreamOrder& order) { return order.reach_of_event(event); },
                   [&] { return inner().hipEventSynchronize(event); });
  }
  static hipError_t event_query(hipEvent_t event) {
    return waiting([event](StreamOrder& order) { return order.reach_of_event(event); },
                   [&] { return inner().hipEventQuery(event); });
  }
  static hipError_t stream_wait_event(hipStream_t stream, hipEvent_t event, unsigned flags) {
    const hipError_t status = inner().hipStreamWaitEvent(stream, event, flags);
    if (status == hipSuccess) noting([&](StreamOrder& order) { order.waits(stream, event); });
    return status;
  }

  static hipError_t begin_capture(hipStream_t stream, hipStreamCaptureMode mode) {
    const hipError_t status = inner().hipStreamBeginCapture(stream, mode);
    if (status == hipSuccess) noting([&](StreamOrder& order) { order.capture_begun(stream); });
    return status;
  }
  // Some refusals (the wrong thread) leave the capture going.
  static hipError_t end_capture(hipStream_t stream, hipGraph_t* graph) {
    const hipError_t status = inner().hipStreamEndCapture(stream, graph);
    auto now = hipStreamCaptureStatusNone;
    if (status != hipSuccess && inner().hipStreamGetCaptureInfo != nullptr) {
      (void)inner().hipStreamGetCaptureInfo(stream, &now, nullptr);
    }
    if (now == hipStreamCaptureStatusNone) {
      const hipGraph_t made = status == hipSuccess ? *graph : nullptr;
      noting([&](StreamOrder& order) { order.capture_ended(stream, made); });
    }
    return status;
  }
  static hipError_t graph_instantiate(hipGraphExec_t* exec, hipGraph_t graph, hipGraphNode_t* node,
                                      char* log, size_t bytes) {
    const hipError_t status = inner().hipGraphInstantiate(exec, graph, node, log, bytes);
    if (status == hipSuccess) noting([&](StreamOrder& order) { order.graph_instantiated(graph); });
    return status;
  }
  static hipError_t graph_destroy(hipGraph_t graph) {
    noting([&](StreamOrder& order) { order.graph_gone(graph); });
    return inner().hipGraphDestroy(graph);
  }

  static void wrap(const Table& inner, Table& t) {
    inners[S] = &inner;
    replace_if_there(t.hipMalloc, &malloc);
    replace_if_there(t.hipMallocAsync, &malloc_async);
    replace_if_there(t.hipFree, &free);
    replace_if_there(t.hipFreeAsync, &free_async);
    replace_if_there(t.hipStreamCreateWithFlags, &stream_create);
    replace_if_there(t.hipStreamDestroy, &stream_destroy);
    replace_if_there(t.hipStreamSynchronize, &stream_synchronize);
    replace_if_there(t.hipStreamQuery, &stream_query);
    replace_if_there(t.hipDeviceSynchronize, &device_synchronize);
    replace_if_there(t.hipEventCreateWithFlags, &event_create);
    replace_if_there(t.hipEventRecord, &event_record);
    replace_if_there(t.hipEventSynchronize, &event_synchronize);
    replace_if_there(t.hipEventQuery, &event_query);
    replace_if_there(t.hipStreamWaitEvent, &stream_wait_event);
    replace_if_there(t.hipStreamBeginCapture, &begin_capture);
    replace_if_there(t.hipStreamEndCapture, &end_capture);
    replace_if_there(t.hipGraphInstantiate, &graph_instantiate);
    replace_if_there(t.hipGraphDestroy, &graph_destroy);
  }
};

constexpr std::array<void (*)(const Table&, Table&), kWatchedTables> kWrap = {
    Watched<0>::wrap, Watched<1>::wrap, Watched<2>::wrap, Watched<3>::wrap};

}  // namespace

void watch_memory(std::size_t slot, const Table& inner, Table& wrapper) {
  kWrap[slot](inner, wrapper);
}

}  // namespace hiplab::driver
