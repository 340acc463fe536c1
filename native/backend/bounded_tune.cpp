#include "backend/bounded_tune.h"

#include <utility>

#include "backend/capture_guard.h"
#include "backend/device_guard.h"

namespace hiplab::backend {
namespace {

// Writing the operands is no candidate's time. A device that takes longer than this has hung.
constexpr std::chrono::nanoseconds kInputsBound = std::chrono::seconds(10);

std::string over(std::chrono::nanoseconds bound) { return "over its bound of " + in_millis(bound); }

std::string why_none(const std::vector<Tuned>& rows, int repetitions) {
  if (rows.empty()) return ", as the heuristic offers none";
  const std::string first = "; the first: " + rows.front().skipped;
  if (rows.front().skipped.find("bound") == std::string::npos) return first;
  return first + ": raise the bound, or ask for fewer repetitions than " +
         std::to_string(repetitions);
}

std::string too_many_run(const StreamTracker& tracker) {
  return std::to_string(tracker.state().draining) +
         " abandoned streams of the device still run, which is as many as may";
}

}  // namespace

std::unique_ptr<BoundedTune> BoundedTune::begin(const Context& context, EventPool& events,
                                                Device& device, const GemmShape& shape,
                                                const TuneLimits& limits) {
  check_limits(limits);
  check_shape(shape);
  const RelaxedCapture relaxed(context.api());
  const DeviceGuard current(context.api(), device.index());
  const Checked checked{handle_to_tune(device, shape.type)};
  auto tune = std::make_unique<BoundedTune>(checked, context, events, device, shape, limits);
  if (!tune->candidates_.empty()) tune->write_operands();
  return tune;
}

BoundedTune::BoundedTune(const Checked& checked, const Context& context, EventPool& events,
                         Device& device, const GemmShape& shape, const TuneLimits& limits)
    : context_(context),
      events_(events),
      device_(device),
      shape_(shape),
      limits_(limits),
      operands_(context, device, shape, checked.handle),
      candidates_(query_heuristics(context.api(), device.index(), checked.handle,
                                   make_descriptors(context.api(), device.index(), shape),
                                   limits.requested, limits.cap_bytes)),
      facts_(facts_of(context.provider, checked.handle, candidates_)) {
  rows_.reserve(candidates_.size());  // next() gives out pointers into it
}

void BoundedTune::write_operands() {
  auto stop = std::make_unique<Event>(context_, events_, device_.index(), false);
  StreamTracker& tracker = device_.tracker();
  CommandStream* const stream = tracker.acquire_within(limits_.bound);
  if (stream == nullptr) {
    throw Error("tune: no disposable stream for the operands within the bound of " +
                in_millis(limits_.bound) + ": " + too_many_run(tracker) +
                ": tune again when one has ended");
  }
  const TuneInputs& inputs = operands_.inputs();
  Disposable disposable(tracker, *stream, std::move(stop), operands_.take_inputs());
  write_inputs(context_.api(), inputs, *stream);
  disposable.stop().record(*stream);
  if (!ends_within(context_.api(), disposable.stop(), Patience(kInputsBound))) {
    disposable.abandon();
    throw Error("tune: the operands could not be written within " + in_millis(kInputsBound) +
                ": the device hangs, or other work of it keeps the stream waiting");
  }
  operands_.give_inputs_back(disposable.release());
}

const Tuned* BoundedTune::next() {
  if (rows_.size() == candidates_.size()) return nullptr;
  const auto& candidate = candidates_[rows_.size()];
  const RelaxedCapture relaxed(context_.api());
  const DeviceGuard current(context_.api(), device_.index());
  Tuned row = untimed(static_cast<int>(rows_.size()), facts_[rows_.size()]);
  row.skipped = operands_.prepare(candidate.workspaceSize);
  if (row.skipped.empty()) measure({candidate.algo, candidate.workspaceSize}, row);
  return &rows_.emplace_back(std::move(row));
}

void BoundedTune::measure(const Algorithm& algorithm, Tuned& row) {
  const Table& api = context_.api();
  const Patience patience(limits_.bound);
  StreamTracker& tracker = device_.tracker();
  Event start(context_, events_, device_.index(), true);
  auto stop = std::make_unique<Event>(context_, events_, device_.index(), true);
  CommandStream* const stream = tracker.acquire_within(limits_.bound);
  if (stream == nullptr) {
    row.skipped = "no disposable stream within its bound of " + in_millis(limits_.bound) + ": " +
                  too_many_run(tracker);
    return;
  }
  const TuneWork& work = operands_.work();
  Disposable disposable(tracker, *stream, std::move(stop), operands_.take_work());
  std::vector<double> times;
  for (int i = -1; i < limits_.repetitions; ++i) {  // the first warms up
    if (patience.over()) {                          // with nothing of it running
      row.skipped = over(limits_.bound) + " after " + std::to_string(i < 0 ? 0 : i) + " of " +
                    std::to_string(limits_.repetitions) + " repetitions";
      break;
    }
    void* const workspace = work.workspace ? work.workspace->get() : nullptr;
    const std::size_t bytes = work.workspace ? work.workspace->bytes() : 0;
    const hipblasStatus_t status = enqueue_timed(api, work.gemm, algorithm, workspace, bytes,
                                                 *stream, start, disposable.stop());
    if (!ends_within(api, disposable.stop(), patience)) {
      disposable.abandon();
      row.skipped = over(limits_.bound) + ": abandoned in " +
                    (i < 0 ? "its warm-up"
                           : "repetition " + std::to_string(i + 1) + " of " +
                                 std::to_string(limits_.repetitions));
      return;
    }
    if (!succeeded(status)) {
      row.skipped = failed_matmul(api, status);
      break;
    }
    if (i >= 0) times.push_back(disposable.stop().millis_since(start));
  }
  operands_.give_work_back(disposable.release());
  if (row.skipped.empty()) row.median_ms = median(std::move(times));
}

const Tuned& BoundedTune::keep_fastest() {
  Tuned* const best = fastest(rows_);
  if (best == nullptr) {
    throw Error("tune: none of " + std::to_string(rows_.size()) +
                " candidates could be measured within the bound of " + in_millis(limits_.bound) +
                " each" + why_none(rows_, limits_.repetitions));
  }
  best->chosen = true;
  const auto& winner = candidates_[static_cast<std::size_t>(best->index)];
  device_.algorithms().store_tuned(shape_, {winner.algo, winner.workspaceSize});
  return *best;
}

}  // namespace hiplab::backend
