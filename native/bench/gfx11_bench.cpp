// What a bf16 GEMM costs the software device that adds as gfx11 does, beside the IEEE sums that
// OpenBLAS computes: GFLOP/s of host::compute(), the bf16 operands converted in both.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "driver/host/gemm.h"
#include "driver/host/gfx11.h"
#include "driver/host/half.h"

namespace {

using namespace hiplab::driver::host;  // NOLINT: a benchmark's main file

std::vector<std::uint16_t> normal(std::int64_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> any;
  std::vector<std::uint16_t> out(static_cast<std::size_t>(count));
  for (auto& v : out) v = to_bf16(any(engine));
  return out;
}

Gemm shape(const benchmark::State& state) {
  Gemm g;
  g.type = ElementType::bf16;
  g.m = state.range(0), g.n = state.range(1), g.k = state.range(2);
  g.trans_a = true;
  g.lda = g.ldb = g.k, g.ldc = g.ldd = g.m;
  return g;
}

void count(benchmark::State& state, const Gemm& g) {
  state.counters["GFLOP/s"] = benchmark::Counter(2e-9 * static_cast<double>(g.m * g.n * g.k),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

void product(benchmark::State& state, bool adds_ieee) {
  Gemm g = shape(state);
  const auto a = normal(g.m * g.k, 1);
  const auto b = normal(g.k * g.n, 2);
  std::vector<std::uint16_t> d(static_cast<std::size_t>(g.m * g.n));
  g.a = a.data(), g.b = b.data(), g.d = d.data();
  g.adds_ieee = adds_ieee;
  for (auto _ : state) compute(g);
  count(state, g);
}

void loop(benchmark::State& state, std::size_t which) {
  if (which >= gfx11_loops().size()) return state.SkipWithError("this CPU has no further loop");
  const Gfx11Loop& chosen = gfx11_loops()[which];
  state.SetLabel(chosen.name);
  const Gemm g = shape(state);
  const auto a = normal(g.m * g.k, 1);
  const auto b = normal(g.k * g.n, 2);
  std::vector<float> sums(static_cast<std::size_t>(g.m * g.n));
  for (auto _ : state) {
    gfx11_product({g.type, a.data(), g.k, 1}, {g.type, b.data(), g.k, 1}, g.m, g.n, g.k,
                  sums.data(), chosen);
  }
  count(state, g);
}

void shapes(benchmark::internal::Benchmark* b) {
  b->Args({64, 64, 64})->Args({512, 512, 512})->Args({4096, 1, 4096})->Args({1, 4096, 4096});
  b->UseRealTime()->Unit(benchmark::kMicrosecond);
}

BENCHMARK_CAPTURE(product, gfx11, false)->Apply(shapes);
BENCHMARK_CAPTURE(product, ieee, true)->Apply(shapes);
BENCHMARK_CAPTURE(product, gfx11_large, false)
    ->Args({11008, 512, 4096})
    ->UseRealTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(product, ieee_large, true)
    ->Args({11008, 512, 4096})
    ->UseRealTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(loop, first, 0)->Args({64, 64, 256})->UseRealTime();
BENCHMARK_CAPTURE(loop, second, 1)->Args({64, 64, 256})->UseRealTime();
BENCHMARK_CAPTURE(loop, third, 2)->Args({64, 64, 256})->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
