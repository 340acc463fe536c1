// A pipe is what a repeated GEMM keeps between calls: descriptor, layouts and the algorithm chosen.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "backend/gemm_call.h"
#include "backend/heuristics.h"

namespace hiplab::backend {

struct Algorithm {
  hipblasLtMatmulAlgo_t algo{};
  std::size_t workspace_bytes = 0;
  std::uint64_t tunings = 0;  // of the device, as far as a pipe's algorithm knows of them
};

struct Pipe {
  MatmulDescriptors descriptors;
  Algorithm algorithm;
};

// A pipe serves one exact shape on one device.
struct PipeKey {
  int device = 0;
  GemmShape shape;

  bool operator==(const PipeKey&) const = default;
};

struct PipeKeyHash {
  std::size_t operator()(const PipeKey& key) const;
};

using MakePipe = std::function<std::unique_ptr<Pipe>()>;

// Runs the matmul with a pipe's descriptors and algorithm. `fresh`: the pipe has just been made, so
// the call may look for another algorithm when the matmul fails, and replace the one given; a
// cached pipe that fails is dropped and made anew.
using UsePipe = std::function<hipblasStatus_t(const MatmulDescriptors& descriptors,
                                              Algorithm& algorithm, bool fresh)>;

// Thread-safe unless the form says otherwise.
class PipeCache {
 public:
  virtual ~PipeCache() = default;

  // Runs `use` with the key's pipe, made by `make` when there is none; returns the last status.
  virtual hipblasStatus_t run(const PipeKey& key, const MakePipe& make, const UsePipe& use) = 0;
};

}  // namespace hiplab::backend
