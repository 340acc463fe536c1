// Heuristic results, kept per device and shared by its threads: a query costs far more than a
// matmul (115 us against 9 us in public figures), and a result is plain data.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "backend/pipe_cache.h"
#include "sync/access.h"
#include "sync/mutex.h"

namespace hiplab::backend {

// The key under which a shape's algorithm is kept. Shapes without a transpose (NN) that differ
// only in the number of rows share one: m is rounded up to a power of two, so that prompts of
// every length do not each pay for a query. Other shapes are kept exactly.
GemmShape algorithm_key(const GemmShape& shape);

// A table under a lock. Thread-safe.
class AlgorithmTable {
 public:
  std::optional<Algorithm> find(const GemmShape& shape);
  void store(const GemmShape& shape, const Algorithm& algorithm);

 private:
  sync::Mutex mutex_{"algorithm cache"};
  std::unordered_map<PipeKey, Algorithm, PipeKeyHash> table_;
};

// Thread-safe unless the form says otherwise.
class AlgorithmCache {
 public:
  virtual ~AlgorithmCache() = default;

  virtual std::optional<Algorithm> find(const GemmShape& shape) = 0;
  virtual void store(const GemmShape& shape, const Algorithm& algorithm) = 0;

  // A shared algorithm did not fit this shape of its bucket; `algorithm` did. `of_pipe` is the one
  // that the caller's pipe will use next time.
  virtual void replace(const GemmShape& shape, const Algorithm& algorithm, Algorithm& of_pipe) = 0;

  // Stores what a tune loop has measured to be best; pipes made before must take it over.
  virtual void store_tuned(const GemmShape& shape, const Algorithm& algorithm) = 0;

  // Before each matmul with a pipe's algorithm: takes over what has been tuned since.
  virtual void refresh(const GemmShape& shape, Algorithm& of_pipe) = 0;
};

// Replaces both: what other threads will find, and what this pipe will use next time.
class RefreshingAlgorithmCache final : public AlgorithmCache {
 public:
  std::optional<Algorithm> find(const GemmShape& shape) override { return table_.find(shape); }
  void store(const GemmShape& shape, const Algorithm& algorithm) override {
    table_.store(shape, algorithm);
  }
  void replace(const GemmShape& shape, const Algorithm& algorithm, Algorithm& of_pipe) override {
    table_.store(shape, algorithm);
    HIPLAB_WRITE(&of_pipe, "pipe.algorithm");
    of_pipe = algorithm;
  }
  void store_tuned(const GemmShape& shape, const Algorithm& algorithm) override;
  void refresh(const GemmShape& shape, Algorithm& of_pipe) override;

 private:
  AlgorithmTable table_;
  std::atomic<std::uint64_t> tunings_{0};  // a pipe that has seen all of them asks no table
};

}  // namespace hiplab::backend
