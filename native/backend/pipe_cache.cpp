#include "backend/pipe_cache.h"

namespace hiplab::backend {

std::size_t PipeKeyHash::operator()(const PipeKey& key) const {
  std::size_t seed = static_cast<std::size_t>(key.device);
  const auto mix = [&seed](std::int64_t value) {
    seed ^= std::hash<std::int64_t>{}(value) + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2);
  };
  const GemmShape& s = key.shape;
  mix(static_cast<std::int64_t>(s.type));
  mix((s.trans_a ? 2 : 0) + (s.trans_b ? 1 : 0));
  mix(s.m);
  mix(s.n);
  mix(s.k);
  mix(s.batch);
  return seed;
}

}  // namespace hiplab::backend
