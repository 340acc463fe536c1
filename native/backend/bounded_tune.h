// Tunes a GEMM in bounded time, on streams that can be given up (MIOpen 12265).
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "backend/context.h"
#include "backend/device.h"
#include "backend/disposable.h"
#include "backend/event_pool.h"
#include "backend/timed_gemm.h"
#include "backend/tune_operands.h"

namespace hiplab::backend {

struct TuneLimits {
  int requested = 8;    // candidates, 1 to kMostCandidates
  int repetitions = 7;  // timed GEMMs of each, 1 to kMostRepetitions
  // For one candidate: its wait for a disposable stream, its warm-up and its repetitions.
  std::chrono::nanoseconds bound = std::chrono::milliseconds(250);
  std::size_t cap_bytes = kMaxWorkspaceBytes;  // of workspace, at most kMaxWorkspaceBytes
};

inline constexpr std::chrono::nanoseconds kLeastBound = std::chrono::microseconds(1);
inline constexpr std::chrono::nanoseconds kMostBound = std::chrono::hours(1);

// One shape's candidates, measured one after the other on disposable streams of the device, with
// operands of its own. A candidate that overruns its bound is abandoned where it is, with all that
// it reads and writes; one that gets no stream in time, as too many abandoned ones still run, is
// skipped. Nothing here waits for an abandoned one, neither its memory's end nor this object's.
//
// Right beside captures of every mode, on whatever stream and thread: all of it runs under a
// relaxed capture mode of the calling thread, and no library handle is made while a capture is
// open. One thread at a time.
class BoundedTune {
 public:
  // Asks the heuristic, and writes the operands (small integers: denormals and NaN would be timed
  // wrongly). Throws when a limit is out of range, hipBLASLt has no GEMM of that type or cannot be
  // had now, there is no memory, or the operands could not be written in time.
  static std::unique_ptr<BoundedTune> begin(const Context& context, EventPool& events,
                                            Device& device, const GemmShape& shape,
                                            const TuneLimits& limits);
  BoundedTune(const BoundedTune&) = delete;
  BoundedTune& operator=(const BoundedTune&) = delete;

  // Measures the next candidate; null when there is none left. Takes about the bound at most.
  // Throws when the device is lost.
  const Tuned* next();

  const std::vector<Tuned>& rows() const { return rows_; }
  std::size_t offered() const { return candidates_.size(); }

  // Marks the fastest row, and stores its algorithm in the device's cache. Throws when none was
  // measured, naming the bound and the count.
  const Tuned& keep_fastest();

 private:
  BoundedTune(const Context& context, EventPool& events, Device& device, const GemmShape& shape,
              const TuneLimits& limits, hipblasLtHandle_t handle);

  void write_operands();
  void measure(const Algorithm& algorithm, Tuned& row);

  const Context context_;
  EventPool& events_;
  Device& device_;
  const GemmShape shape_;
  const TuneLimits limits_;
  TuneOperands operands_;
  const std::vector<hipblasLtMatmulHeuristicResult_t> candidates_;
  const std::vector<CandidateFacts> facts_;
  std::vector<Tuned> rows_;
};

// A winner of an earlier tune: what the heuristic must offer now for this shape, under the same
// count and cap.
struct Winner {
  int solution = -1;  // the library's index of it
  std::size_t workspace_bytes = 0;
};

// The candidate that the heuristic offers now and that is this winner: the library is handed only
// what it has just offered. Throws, saying what is offered, when it is not among it, and as
// BoundedTune does of the shape, the limits and the handle.
Algorithm offered_winner(const Context& context, Device& device, const GemmShape& shape,
                         const TuneLimits& limits, const Winner& winner);

// Makes later GEMMs of that shape take it.
void apply_winner(const Context& context, Device& device, const GemmShape& shape,
                  const TuneLimits& limits, const Winner& winner);

// As the library tells it, such as 100100. Throws when hipBLASLt cannot be had now.
int blaslt_version(const Context& context, Device& device);

}  // namespace hiplab::backend
