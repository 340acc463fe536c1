// Tunes a GEMM in bounded time, on streams that can be given up (MIOpen 12265).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "backend/context.h"
#include "backend/device.h"
#include "backend/disposable.h"
#include "backend/event_pool.h"
#include "backend/timed_gemm.h"
#include "backend/tune_limits.h"
#include "backend/tune_operands.h"

namespace hiplab::backend {

// One shape's candidates, measured one after the other on disposable streams of the device, with
// operands of its own. A candidate that overruns its bound is abandoned where it is, with all that
// it reads and writes; one that gets no stream in time, as too many abandoned ones still run, is
// skipped. Its repetitions are enqueued ahead behind a gate (EnqueueGate), unless a foreign host
// callback holds the process's callbacks up as the tune begins. Nothing here waits for an abandoned
// one, neither its memory's end nor this object's.
//
// Right beside captures of every mode, on whatever stream and thread: all of it runs under a
// relaxed capture mode of the calling thread, and no library handle is made while a capture is
// open. One thread at a time.
class BoundedTune {
  struct Checked {
    hipblasLtHandle_t handle;
  };

 public:
  // Asks the heuristic, and writes the operands (small integers: denormals and NaN would be timed
  // wrongly). Throws when a limit is out of range, hipBLASLt has no GEMM of that type or cannot be
  // had now, there is no memory, or the operands could not be written in time.
  static std::unique_ptr<BoundedTune> begin(const Context& context, EventPool& events,
                                            Device& device, const GemmShape& shape,
                                            const TuneLimits& limits);
  BoundedTune(const Checked& checked, const Context& context, EventPool& events, Device& device,
              const GemmShape& shape, const TuneLimits& limits);  // for begin()
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
  void write_operands();
  bool callbacks_run();
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
  bool gated_ = false;  // host callbacks come: repetitions may stand behind one
};

}  // namespace hiplab::backend
