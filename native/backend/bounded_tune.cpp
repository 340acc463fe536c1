#include "backend/bounded_tune.h"

#include <algorithm>
#include <utility>

#include "backend/capture_guard.h"
#include "backend/device_guard.h"
#include "backend/enqueue_ahead.h"
#include "backend/enqueue_gate.h"

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

// How many GEMMs of that length surely fit into half of what is left, at least one: what is
// enqueued ahead and does not end in time is abandoned, and a slow candidate need not be.
int fitting(const Patience& patience, double millis_each, int most) {
  const std::chrono::duration<double, std::milli> left = patience.at_most(kMostBound);
  if (left.count() >= 2 * millis_each * most) return most;
  return std::max(1, static_cast<int>(left.count() / (2 * millis_each)));
}

std::string too_many_run(const StreamTracker& tracker) {
  return std::to_string(tracker.state().draining) +
         " abandoned streams of the device still run, which is as many as may";
}

CommandStream& stream_for_operands(StreamTracker& tracker, std::chrono::nanoseconds bound) {
  CommandStream* const stream = tracker.acquire_within(bound);
  if (stream != nullptr) return *stream;
  throw Error("tune: no disposable stream for the operands within the bound of " +
              in_millis(bound) + ": " + too_many_run(tracker) + ": tune again when one has ended");
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
  // Before anything is allocated: the memory of a tune that gets no stream would be freed behind
  // the runaways only, and many such tunes would take all there is.
  device.tracker().release(stream_for_operands(device.tracker(), limits.bound));
  auto tune = std::make_unique<BoundedTune>(checked, context, events, device, shape, limits);
  if (tune->candidates_.empty()) return tune;
  tune->write_operands();
  tune->gated_ = tune->callbacks_run();
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
  CommandStream& stream = stream_for_operands(tracker, limits_.bound);
  const TuneInputs& inputs = operands_.inputs();
  Disposable disposable(tracker, stream, std::move(stop), operands_.take_inputs());
  write_inputs(context_.api(), inputs, stream);
  disposable.stop().record(stream);
  if (!ends_within(context_.api(), disposable.stop(), Patience(kInputsBound))) {
    disposable.abandon();
    throw Error("tune: the operands could not be written within " + in_millis(kInputsBound) +
                ": the device hangs, or other work of it keeps the stream waiting");
  }
  operands_.give_inputs_back(disposable.release());
}

// Asked once, on a stream of its own: a gate that does not get its turn would hold up every
// candidate, and each of them would be abandoned.
bool BoundedTune::callbacks_run() {
  const Patience patience(limits_.bound);
  StreamTracker& tracker = device_.tracker();
  auto stop = std::make_unique<Event>(context_, events_, device_.index(), false);
  CommandStream* const stream = tracker.acquire_within(limits_.bound);
  if (stream == nullptr) return false;
  Disposable disposable(tracker, *stream, std::move(stop), {});
  EnqueueGate(context_.api(), *stream).open();
  disposable.stop().record(*stream);
  if (!ends_within(context_.api(), disposable.stop(), patience)) {
    disposable.abandon();
    return false;
  }
  disposable.release();
  return true;
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
  EnqueueAhead ahead(context_, events_, device_.index(), limits_.repetitions);
  auto stop = std::make_unique<Event>(context_, events_, device_.index(), false);
  CommandStream* const stream = tracker.acquire_within(limits_.bound);
  if (stream == nullptr) {
    row.skipped = "no disposable stream within its bound of " + in_millis(limits_.bound) + ": " +
                  too_many_run(tracker);
    return;
  }
  const TuneWork& work = operands_.work();
  Disposable disposable(tracker, *stream, std::move(stop), operands_.take_work());
  const auto enqueue = [&](Event& start, Event& end) {
    void* const workspace = work.workspace ? work.workspace->get() : nullptr;
    const std::size_t bytes = work.workspace ? work.workspace->bytes() : 0;
    return enqueue_timed(api, work.gemm, algorithm, workspace, bytes, *stream, start, end);
  };
  const std::string of = " of " + std::to_string(limits_.repetitions);
  std::vector<double> times;
  double millis_each = 0;
  for (bool warm = false;; warm = true) {  // one alone warms up: it may load kernels, or run away
    const int done = static_cast<int>(times.size());
    if (done == limits_.repetitions) break;
    if (patience.over()) {  // with nothing of it running
      row.skipped = over(limits_.bound) + " after " + std::to_string(done) + of + " repetitions";
      break;
    }
    const auto batch = ahead.enqueue(
        *stream, warm ? fitting(patience, millis_each, limits_.repetitions - done) : 1,
        warm && gated_, patience, enqueue);
    disposable.stop().record(*stream);
    const int ended = ahead.wait(batch.count, patience);
    if (ended < batch.count) {
      disposable.abandon();
      row.skipped = over(limits_.bound) + ": abandoned in " +
                    (warm ? "repetition " + std::to_string(done + ended + 1) + of : "its warm-up");
      return;
    }
    if (!succeeded(batch.status)) {
      row.skipped = failed_matmul(api, batch.status);
      break;
    }
    const auto measured = ahead.millis(batch.count);
    millis_each = measured.back();
    if (warm) times.insert(times.end(), measured.begin(), measured.end());
  }
  operands_.give_work_back(disposable.release());
  if (row.skipped.empty()) fill_times(row, std::move(times));
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
