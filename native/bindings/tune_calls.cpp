// hiplab.h: tuning.
#include <chrono>
#include <sstream>

#include "bindings/candidate_text.h"
#include "bindings/checks.h"

namespace hiplab::bindings {
namespace {

std::string line_of(const backend::Tuned& tuned) {
  std::ostringstream out;
  out << tuned.index << ' ' << tuned.workspace_bytes << ' ' << tuned.waves << ' ' << tuned.solution
      << ' ' << told(tuned.name) << ' ' << tuned.median_ms.value_or(-1) << ' ' << tuned.lower_ms
      << ' ' << tuned.upper_ms << ' ' << tuned.chosen << ' ' << tuned.skipped << '\n';
  return out.str();
}

std::size_t bytes(std::int64_t value, const char* what) {
  if (value < 0) {
    throw Error(std::string(what) + " is " + std::to_string(value) +
                " bytes, at least 0 is allowed");
  }
  return static_cast<std::size_t>(value);
}

}  // namespace

std::string tune(StreamRef* stream, int type, bool transA, bool transB, int64_t m, int64_t n,
                 int64_t k, int64_t batch, BufferRef* a, BufferRef* b, BufferRef* c, int requested,
                 int repetitions) {
  const StreamRef& s = required(stream, "stream");
  const backend::GemmShape shape = shape_of(type, transA, transB, m, n, k, batch);
  const auto table =
      s.owner->backend->tune(*s.stream, gemm_call(s, shape, 1, a, b, 0, c), requested, repetitions);
  std::string lines;
  for (const backend::Tuned& tuned : table) lines += line_of(tuned);
  return lines;
}

TuneRef* beginTune(BackendRef* backend, int device, int type, bool transA, bool transB, int64_t m,
                   int64_t n, int64_t k, int64_t batch, int requested, int repetitions,
                   int64_t boundNanos, int64_t capBytes) {
  BackendRef& ref = required(backend, "backend");
  const backend::TuneLimits limits{requested, repetitions, std::chrono::nanoseconds(boundNanos),
                                   bytes(capBytes, "workspace cap")};
  auto tune =
      ref.backend->bounded_tune(device, shape_of(type, transA, transB, m, n, k, batch), limits);
  return new TuneRef{&ref, Use(ref.candidates), std::move(tune)};
}

std::string tuneNext(TuneRef* tune) {
  const backend::Tuned* const row = required(tune, "tune").tune->next();
  return row != nullptr ? line_of(*row) : "";
}

int keepFastest(TuneRef* tune) { return required(tune, "tune").tune->keep_fastest().index; }

void endTune(TuneRef* tune) {
  required(tune, "tune");
  delete tune;
}

void useWinner(BackendRef* backend, int device, int type, bool transA, bool transB, int64_t m,
               int64_t n, int64_t k, int64_t batch, int requested, int64_t capBytes, int solution,
               const std::string& name, int64_t workspaceBytes, bool apply) {
  backend::Backend& own = *required(backend, "backend").backend;
  backend::TuneLimits limits;
  limits.requested = requested;
  limits.cap_bytes = bytes(capBytes, "workspace cap");
  const backend::GemmShape shape = shape_of(type, transA, transB, m, n, k, batch);
  const backend::Winner winner{solution, bytes(workspaceBytes, "workspace"), name};
  if (apply) {
    own.apply_winner(device, shape, limits, winner);
  } else {
    own.check_winner(device, shape, limits, winner);
  }
}

int blasLtVersion(BackendRef* backend, int device) {
  return required(backend, "backend").backend->blaslt_version(device);
}

}  // namespace hiplab::bindings
