#include "backend/bounded_tune.h"

#include <sstream>
#include <utility>

#include "backend/capture_guard.h"
#include "backend/device_guard.h"
#include "backend/open_captures.h"

namespace hiplab::backend {
namespace {

// Writing the operands is no candidate's time. A device that takes longer than this has hung.
constexpr std::chrono::nanoseconds kInputsBound = std::chrono::seconds(10);

std::string in_words(std::chrono::nanoseconds duration) {
  std::ostringstream out;
  out << std::chrono::duration<double, std::milli>(duration).count() << " ms";
  return out.str();
}

std::string in_words(const std::vector<CandidateFacts>& offered) {
  if (offered.empty()) return "none";
  std::ostringstream out;
  for (const CandidateFacts& one : offered) {
    out << (&one == &offered.front() ? "" : ", ") << one.solution << " (" << one.workspace_bytes
        << " bytes)";
  }
  return out.str();
}

void check_limits(const TuneLimits& limits) {
  check_count("requested", limits.requested, kMostCandidates);
  check_count("repetitions", limits.repetitions, kMostRepetitions);
  if (limits.bound < kLeastBound || limits.bound > kMostBound) {
    throw Error("tune: the bound is " + in_words(limits.bound) + ", allowed are " +
                in_words(kLeastBound) + " to " + in_words(kMostBound));
  }
  if (limits.cap_bytes > kMaxWorkspaceBytes) {
    throw Error("tune: the workspace cap is " + std::to_string(limits.cap_bytes) +
                " bytes, allowed are 0 to " + std::to_string(kMaxWorkspaceBytes));
  }
}

// No handle is made while any stream captures: hipblasLtCreate ends the process then
// (rocm-libraries 11838).
hipblasLtHandle_t handle_of(Device& device) {
  BlasLtHandle& blaslt = device.blaslt();
  if (blaslt.available()) return blaslt.get();
  const bool captures = !blaslt.settled() && !outside_captures([] {});
  try {
    return blaslt.get();
  } catch (const Error& error) {
    throw Error(std::string("tune: ") + error.what() +
                    (captures ? ": tune when no capture is open, or run one GEMM of the type "
                                "before the capture begins"
                              : ""),
                error.call());
  }
}

// The same, where it has GEMMs of that type.
hipblasLtHandle_t handle_for(Device& device, ElementType type) {
  const hipblasLtHandle_t handle = handle_of(device);
  check_has_gemm(device, type);
  return handle;
}

std::string over(std::chrono::nanoseconds bound) { return "over its bound of " + in_words(bound); }

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
  std::unique_ptr<BoundedTune> tune(new BoundedTune(  // NOLINT: the constructor is private
      context, events, device, shape, limits, handle_for(device, shape.type)));
  if (!tune->candidates_.empty()) tune->write_operands();
  return tune;
}

BoundedTune::BoundedTune(const Context& context, EventPool& events, Device& device,
                         const GemmShape& shape, const TuneLimits& limits, hipblasLtHandle_t handle)
    : context_(context),
      events_(events),
      device_(device),
      shape_(shape),
      limits_(limits),
      operands_(context, device, shape, handle),
      candidates_(query_heuristics(context.api(), device.index(), handle,
                                   make_descriptors(context.api(), device.index(), shape),
                                   limits.requested, limits.cap_bytes)),
      facts_(facts_of(context.provider, handle, candidates_)) {
  rows_.reserve(candidates_.size());  // next() gives out pointers into it
}

void BoundedTune::write_operands() {
  auto stop = std::make_unique<Event>(context_, events_, device_.index(), false);
  StreamTracker& tracker = device_.tracker();
  CommandStream* const stream = tracker.acquire_within(limits_.bound);
  if (stream == nullptr) {
    throw Error("tune: no disposable stream for the operands within the bound of " +
                in_words(limits_.bound) + ": " + too_many_run(tracker) +
                ": tune again when one has ended");
  }
  const TuneInputs& inputs = operands_.inputs();
  Disposable disposable(tracker, *stream, std::move(stop), operands_.take_inputs());
  write_inputs(context_.api(), inputs, *stream);
  disposable.stop().record(*stream);
  if (!ends_within(context_.api(), disposable.stop(), Patience(kInputsBound))) {
    disposable.abandon();
    throw Error("tune: the operands could not be written within " + in_words(kInputsBound) +
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
    row.skipped = "no disposable stream within its bound of " + in_words(limits_.bound) + ": " +
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
                " candidates could be measured within the bound of " + in_words(limits_.bound) +
                " each" + why_none(rows_, limits_.repetitions));
  }
  best->chosen = true;
  const auto& winner = candidates_[static_cast<std::size_t>(best->index)];
  device_.algorithms().store_tuned(shape_, {winner.algo, winner.workspaceSize});
  return *best;
}

Algorithm offered_winner(const Context& context, Device& device, const GemmShape& shape,
                         const TuneLimits& limits, const Winner& winner) {
  check_limits(limits);
  check_shape(shape);
  const RelaxedCapture relaxed(context.api());
  const DeviceGuard current(context.api(), device.index());
  const hipblasLtHandle_t handle = handle_for(device, shape.type);
  const auto offered = query_heuristics(context.api(), device.index(), handle,
                                        make_descriptors(context.api(), device.index(), shape),
                                        limits.requested, limits.cap_bytes);
  const auto facts = facts_of(context.provider, handle, offered);
  for (std::size_t i = 0; i < offered.size(); ++i) {
    // An index of -1 is none: nothing tells such candidates apart.
    if (winner.solution < 0 || facts[i].solution != winner.solution) continue;
    if (facts[i].workspace_bytes != winner.workspace_bytes) continue;
    return {offered[i].algo, offered[i].workspaceSize};
  }
  throw Error("the heuristic does not offer solution " + std::to_string(winner.solution) +
              " with " + std::to_string(winner.workspace_bytes) +
              " bytes of workspace for this shape: of " + std::to_string(limits.requested) +
              " candidates under a cap of " + std::to_string(limits.cap_bytes) +
              " bytes it offers " + in_words(facts) + "; tune again on this device");
}

void apply_winner(const Context& context, Device& device, const GemmShape& shape,
                  const TuneLimits& limits, const Winner& winner) {
  device.algorithms().store_tuned(shape, offered_winner(context, device, shape, limits, winner));
}

int blaslt_version(const Context& context, Device& device) {
  const RelaxedCapture relaxed(context.api());
  const DeviceGuard current(context.api(), device.index());
  int version = 0;
  HIPLAB_CHECK(context.api(), Where{device.index()}, hipblasLtGetVersion, handle_of(device),
               &version);
  return version;
}

}  // namespace hiplab::backend
