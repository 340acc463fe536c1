#include "backend/tune.h"

#include "backend/capture_status.h"
#include "backend/device_guard.h"
#include "backend/device_memory.h"
#include "backend/event.h"

namespace hiplab::backend {
namespace {

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
        handle_(device.blaslt().get()),
        descriptors_(make_descriptors(context.api(), device.index(), call.shape)),
        result_(context, device.index(),
                static_cast<std::size_t>(call.shape.batch * call.shape.m * call.shape.n) *
                    element_bytes(result_type(call.shape.type))),
        gemm_{handle_, &descriptors_, call.alpha, call.a, call.b, call.beta, result_.get()},
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
        tuned.skipped = no_workspace(algorithm.workspace_bytes);
        return;
      }
      const hipblasStatus_t status =
          enqueue_timed(context_.api(), gemm_, algorithm, workspace.pointer(), workspace.bytes(),
                        stream_, start_, stop_);
      stop_.synchronize();
      if (!succeeded(status)) {
        tuned.skipped = failed_matmul(context_.api(), status);
        return;
      }
      if (i >= 0) times.push_back(stop_.millis_since(start_));
    }
    fill_times(tuned, std::move(times));
  }

 private:
  const Context context_;
  Device& device_;
  const CommandStream& stream_;
  const hipblasLtHandle_t handle_;
  const MatmulDescriptors descriptors_;
  const DeviceMemory result_;
  const TimedGemm gemm_;
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
  check_has_gemm(device, call.shape.type);
  const DeviceGuard current(context.api(), device.index());
  Measurement measurement(context, events, device, stream, call);
  std::vector<Tuned> table;
  const auto candidates = measurement.candidates(requested);
  const auto facts = measurement.facts(candidates);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    Tuned& tuned = table.emplace_back(untimed(static_cast<int>(i), facts[i]));
    measurement.run({candidates[i].algo, candidates[i].workspaceSize}, repetitions, tuned);
  }
  Tuned* const best = fastest(table);
  if (best == nullptr) {
    throw Error("tune: none of " + std::to_string(table.size()) + " candidates could be measured" +
                (table.empty() ? "" : "; the first: " + table.front().skipped));
  }
  best->chosen = true;
  const auto& winner = candidates[static_cast<std::size_t>(best->index)];
  device.algorithms().store_tuned(call.shape, {winner.algo, winner.workspaceSize});
  return table;
}

}  // namespace hiplab::backend
