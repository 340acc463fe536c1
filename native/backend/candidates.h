// What the heuristic offers for one GEMM, ready to be run one by one.
#pragma once

#include <string>
#include <vector>

#include "backend/command_stream.h"
#include "backend/context.h"
#include "backend/device.h"
#include "backend/gemm_call.h"
#include "backend/heuristics.h"
#include "sync/mutex.h"

namespace hiplab::backend {

// One candidate, in the heuristic's order.
struct CandidateFacts {
  std::size_t workspace_bytes = 0;
  float waves = 0;
  int solution = -1;  // the library's index of it; -1: not told
  std::string name;   // the library's name of it; empty: not told
};

// A library's name as a word of a line or a file: blanks become underscores.
std::string without_blanks(std::string name);

std::vector<CandidateFacts> facts_of(const driver::Provider& provider, hipblasLtHandle_t handle,
                                     const std::vector<hipblasLtMatmulHeuristicResult_t>& results);

// Of one device. Thread-safe: calls take turns, as hipblasLtMatmul writes the descriptor (mlxcel
// 2208).
class Candidates {
 public:
  // Asks for at most `requested` that need no more than `cap` bytes of workspace. Throws when the
  // shape or the numbers are wrong, and when hipBLASLt cannot be used.
  Candidates(const Context& context, Device& device, const GemmShape& shape, int requested,
             std::size_t cap);

  const GemmShape& shape() const { return shape_; }
  const std::vector<CandidateFacts>& facts() const { return facts_; }

  // Enqueues candidate `index` with the stream's own workspace. Throws when the call is of another
  // shape, the stream of another device, the workspace cannot be had, or the library refuses:
  // nothing falls back to another algorithm or library.
  void gemm(const CommandStream& stream, const GemmCall& call, int index);

 private:
  const Context context_;
  Device& device_;
  const GemmShape shape_;
  const hipblasLtHandle_t handle_;
  const MatmulDescriptors descriptors_;
  const std::vector<hipblasLtMatmulHeuristicResult_t> results_;
  const std::vector<CandidateFacts> facts_;
  sync::Mutex mutex_{"candidates"};  // the descriptor's use
};

}  // namespace hiplab::backend
