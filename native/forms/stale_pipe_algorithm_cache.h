// FILED form of the algorithm cache (mlxcel 2200): a retry mends the cache but leaves the bad
// algorithm in the pipe, so the next call with that pipe fails again and erases it. What a tune
// loop stores stays unknown to pipes as well.
#pragma once

#include <optional>

#include "backend/algorithm_cache.h"

namespace hiplab::forms {

class StalePipeAlgorithmCache final : public backend::AlgorithmCache {
 public:
  std::optional<backend::Algorithm> find(const backend::GemmShape& shape) override {
    return table_.find(shape);
  }
  void store(const backend::GemmShape& shape, const backend::Algorithm& algorithm) override {
    table_.store(shape, algorithm);
  }
  void replace(const backend::GemmShape& shape, const backend::Algorithm& algorithm,
               backend::Algorithm&) override {
    table_.store(shape, algorithm);
  }
  void store_tuned(const backend::GemmShape& shape, const backend::Algorithm& algorithm) override {
    table_.store(shape, algorithm);
  }
  void refresh(const backend::GemmShape&, backend::Algorithm&) override {}

 private:
  backend::AlgorithmTable table_;
};

}  // namespace hiplab::forms
