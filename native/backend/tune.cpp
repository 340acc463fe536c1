#include "backend/tune.h"

#include <algorithm>

#include "backend/candidates.h"
#include "backend/capture_status.h"
#include "backend/device_guard.h"
#include "backend/device_memory.h"
#include "backend/event.h"
#include "backend/heuristics.h"

namespace hiplab::backend {
namespace {

void check_count(const char* name, int value, int most) {
  if (value >= 1 && value <= most) return;
  throw Error("tune: " + std::string(name) + " is " + std::to_string(value) +
              ", allowed are 1 to " + std::to_string(most));
}

void refuse_capture(const Context& context, const CommandStream& stream) {
  if (!capturing(context.api(), {stream.device(), stream.get()})) return;
  throw Error(
      "tune: the stream is capturing, and measuring waits for it, which a capture forbids: "
      "tune before the capture begins");
}

// One shape's candidates on one stream.
class Measurement {
 public:
  Measurement(const Context& context, EventPool& events, Device& device,
              const CommandStream& stream, const GemmCall& call)
      : context_(context),
        device_(device),
        stream_(stream),
        call_(call),
        handle_(device.blaslt().get()),
        descriptors_(make_descriptors(context.api(), device.index(), call.shape)),
        result_(context, device.index(),
                static_cast<std::size_t>(call.shape.batch * call.shape.m * call.shape.n) *
                    element_bytes(result_type(call.shape.type))),
        start_(context, events, device.index(), true),
        stop_(context, events, device.index(), true) {}

  std::vector<hipblasLtMatmulHeuristicResult_t> candidates(int requested) const {
    return query_heuristics(context_.api(), device_.index(), handle_, descriptors_, requested);
  }

  std::vector<CandidateFacts> facts(
      const std::vector<hipblasLtMatmulHeuristicResult_t>& candidates) const {
    return facts_of(context_.provider, handle_, candidates);
  }

  // Fills in the median or why there is none.
  void run(const Algorithm& algorithm, int repetitions, Tuned& tuned) {
    std::vector<double> times;
    for (int i = -1; i < repetitions; ++i) {  // the first warms up
      // Held until the GEMM is enqueued: clearing frees the stream's workspace after that.
      const std::shared_ptr<Encoder> encoder = device_.encoders().get(stream_.get());
      // Asked for each time, as a GEMM does: the buffer of a form may be another's meanwhile.
      const WorkspaceLease workspace =
          device_.workspaces().acquire(stream_.get(), algorithm.workspace_bytes);
      if (algorithm.workspace_bytes > 0 && workspace.pointer() == nullptr) {
        tuned.skipped =
            "no workspace of " + std::to_string(algorithm.workspace_bytes) + " bytes could be had";
        return;
      }
      start_.record(stream_);
      const hipblasStatus_t status = matmul(algorithm, workspace);
      stop_.record(stream_);
      stop_.synchronize();
      if (!succeeded(status)) {
        tuned.skipped = "hipblasLtMatmul failed: " + status_name(context_.api(), status);
        return;
      }
      if (i >= 0) times.push_back(stop_.millis_since(start_));
    }
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    tuned.median_ms = *middle;
  }

 private:
  hipblasStatus_t matmul(const Algorithm& algorithm, const WorkspaceLease& workspace) {
    const MatmulDescriptors& d = descriptors_;
    return context_.api().hipblasLtMatmul(
        handle_, d.desc.get(), &call_.alpha, call_.b, d.first.get(), call_.a, d.second.get(),
        &call_.beta, result_.get(), d.c.get(), result_.get(), d.d.get(), &algorithm.algo,
        workspace.pointer(), workspace.bytes(), stream_.get());
  }

  const Context context_;
  Device& device_;
  const CommandStream& stream_;
  const GemmCall call_;
  const hipblasLtHandle_t handle_;
  const MatmulDescriptors descriptors_;
  const DeviceMemory result_;
  Event start_;
  Event stop_;
};

}  // namespace

std::vector<Tuned> tune(const Context& context, EventPool& events, Device& device,
                        const CommandStream& stream, const GemmCall& call, int requested,
                        int repetitions) {
  check_count("requested", requested, kMostCandidates);
  check_count("repetitions", repetitions, kMostRepetitions);
  check_shape(call.shape);
  refuse_capture(context, stream);
  if (!device.capabilities().get().has(call.shape.type)) {
    throw Error("tune: hipBLASLt has no GEMM for " + std::string(element_name(call.shape.type)) +
                " on device " + std::to_string(device.index()));
  }
  const DeviceGuard current(context.api(), device.index());
  Measurement measurement(context, events, device, stream, call);
  std::vector<Tuned> table;
  Tuned* best = nullptr;
  Algorithm best_algorithm;
  const auto candidates = measurement.candidates(requested);
  const auto facts = measurement.facts(candidates);
  table.reserve(candidates.size());  // `best` points into it
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto& candidate = candidates[i];
    Tuned& tuned = table.emplace_back();
    tuned.index = static_cast<int>(i);
    tuned.workspace_bytes = facts[i].workspace_bytes;
    tuned.waves = facts[i].waves;
    tuned.solution = facts[i].solution;
    tuned.name = facts[i].name;
    const Algorithm algorithm{candidate.algo, candidate.workspaceSize};
    measurement.run(algorithm, repetitions, tuned);
    if (tuned.median_ms && (best == nullptr || *tuned.median_ms < *best->median_ms)) {
      best = &tuned;
      best_algorithm = algorithm;
    }
  }
  if (best == nullptr) {
    throw Error("tune: none of " + std::to_string(table.size()) + " candidates could be measured" +
                (table.empty() ? "" : "; the first: " + table.front().skipped));
  }
  best->chosen = true;
  device.algorithms().store_tuned(call.shape, best_algorithm);
  return table;
}

}  // namespace hiplab::backend
