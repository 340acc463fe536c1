// gfx11's sums: the step against the instruction table of mlxcel 2206, and the loops against the
// step.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "driver/host/gfx11.h"
#include "host_test_tools.h"

namespace hiplab::test {
namespace {

using host::gfx11_step;
using host::Gfx11Loop;

// A row of an instruction's A against ones, C = 0.
float chain(std::vector<float> row) {
  row.resize(16);
  float sum = 0.0f;
  for (std::size_t k = 0; k < row.size(); k += 2) sum = gfx11_step(sum, row[k], row[k + 1]);
  return sum;
}

TEST(HostGfx11, StepGivesTheTableOfTheInstruction) {
  EXPECT_EQ(chain({1, -1}), -0x1p-24f);
  EXPECT_EQ(chain({-1, 1}), -0x1p-24f);
  EXPECT_EQ(chain({2, -2}), -0x1p-23f);
  EXPECT_EQ(chain({8, -8}), -0x1p-21f);
  EXPECT_EQ(chain({0.5f, -0.5f}), -0x1p-25f);
  EXPECT_EQ(chain({2, -1, -1}), -3 * 0x1p-24f);
  EXPECT_EQ(chain({1, 2, -3}), -0x1p-23f);
  EXPECT_EQ(chain({1, -1, 1, -1}), 0.0f);
  EXPECT_EQ(chain({2}), 2.0f);
  EXPECT_EQ(chain({-1}), -1.0f);
}

TEST(HostGfx11, StepTruncatesToTheGridAndRoundsTheSum) {
  // Below the grid of 1: nothing of the same sign, one unit of the opposite one.
  EXPECT_EQ(gfx11_step(1.0f, 0x1p-25f, 0), 1.0f);
  EXPECT_EQ(gfx11_step(1.0f, -0x1p-25f, 0), 1.0f - 0x1p-24f);
  EXPECT_EQ(gfx11_step(1.0f, -0x1p-100f, 0), 1.0f - 0x1p-24f);
  EXPECT_EQ(gfx11_step(-1.0f, 0x1p-25f, 0), -(1.0f - 0x1p-24f));
  // Truncated, not rounded: three quarters of a unit are none, 1 3/4 are one.
  EXPECT_EQ(gfx11_step(1.0f, -3 * 0x1p-26f, 0), 1.0f - 0x1p-24f);
  EXPECT_EQ(gfx11_step(1.0f, -1.0f, 7 * 0x1p-26f), 0.0f);
  // The accumulator's own magnitude too.
  EXPECT_EQ(gfx11_step(0x1p-25f, 1, 0), 1.0f);
  // The sum has 25 bits: ties go to even.
  EXPECT_EQ(gfx11_step(1.0f, 1.0f, 0x1p-23f), 2.0f);
  EXPECT_EQ(gfx11_step(1.0f, 1.0f, 3 * 0x1p-23f), 2.0f + 0x1p-21f);
  // Relative to a negative accumulator: 2^24 - (2^24 + 1) - (1 + 1) units, the sign turned back.
  EXPECT_EQ(gfx11_step(-1.0f, 1.0f, 0x1p-24f), 3 * 0x1p-24f);
  const float zero = gfx11_step(-0x1p-24f, 1.0f, -1.0f);
  EXPECT_EQ(zero, 0.0f);
  EXPECT_FALSE(std::signbit(zero));
}

TEST(HostGfx11, StepAddsTheIeeeWayWhatIsNotFinite) {
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(gfx11_step(inf, -1, 0), inf);
  EXPECT_TRUE(std::isnan(gfx11_step(inf, -inf, 0)));
  EXPECT_TRUE(std::isnan(gfx11_step(0, std::nanf(""), 0)));
  EXPECT_EQ(gfx11_step(std::numeric_limits<float>::max(), 0x1p127f, 0), inf);
}

// Operands of one product, 16 bits an element, and where its elements lie.
struct Case {
  ElementType type;
  bool trans_a, trans_b;
  std::int64_t m, n, k;
  std::vector<std::uint16_t> a, b;  // leading dimensions are 3 larger than they need to be

  std::int64_t lda() const { return (trans_a ? k : m) + 3; }
  std::int64_t ldb() const { return (trans_b ? n : k) + 3; }
  float a_at(std::int64_t i, std::int64_t l) const {
    return decode(type, a[static_cast<std::size_t>(trans_a ? l + i * lda() : i + l * lda())]);
  }
  float b_at(std::int64_t l, std::int64_t j) const {
    return decode(type, b[static_cast<std::size_t>(trans_b ? j + l * ldb() : l + j * ldb())]);
  }
  std::vector<float> product(const Gfx11Loop& loop) const {
    std::vector<float> sums(static_cast<std::size_t>(m * n), -7.0f);
    host::gfx11_product({type, a.data(), trans_a ? lda() : 1, trans_a ? 1 : lda()},
                        {type, b.data(), trans_b ? 1 : ldb(), trans_b ? ldb() : 1}, m, n, k,
                        sums.data(), loop);
    return sums;
  }
  float by_step(std::int64_t i, std::int64_t j) const {
    float sum = 0.0f;
    for (std::int64_t l = 0; l < k; l += 2) {
      const bool two = l + 1 < k;
      sum = gfx11_step(sum, a_at(i, l) * b_at(l, j), two ? a_at(i, l + 1) * b_at(l + 1, j) : 0.0f);
    }
    return sum;
  }
};

// What elements look like: any finite bits (subnormals and the whole range among them), small
// integers, which cancel often, and magnitudes that lie far apart.
enum class Inputs { any, cancelling, mixed, not_finite };

std::uint16_t element(std::mt19937& engine, ElementType type, Inputs inputs) {
  const auto bits = static_cast<std::uint16_t>(engine());
  if (engine() % 8 == 0) return bits & 0x8000u;  // a zero of either sign
  const std::uint16_t exponent = type == ElementType::bf16 ? 0x7f80u : 0x7c00u;
  const std::uint16_t lowest = type == ElementType::bf16 ? 0x80u : 0x400u;
  switch (inputs) {
    case Inputs::cancelling:
      return encode(type, static_cast<int>(engine() % 7) - 3);
    case Inputs::mixed:
      if (type == ElementType::bf16) {  // around 1, so that sums stay in range
        return static_cast<std::uint16_t>((bits & 0x807fu) | (107 + engine() % 40) << 7);
      }
      return static_cast<std::uint16_t>(bits % 0x7c00u | (bits & 0x8000u));
    case Inputs::any:
      return (bits & exponent) == exponent ? bits - lowest : bits;
    default:
      return bits;
  }
}

Case random_case(std::mt19937& engine, Inputs inputs, std::int64_t largest_side) {
  const auto side = [&](std::int64_t most) {
    return 1 + static_cast<std::int64_t>(engine() % static_cast<unsigned>(most));
  };
  Case c{engine() % 2 ? ElementType::bf16 : ElementType::f16,
         engine() % 2 == 0,
         engine() % 2 == 0,
         side(largest_side),
         side(largest_side),
         side(70),
         {},
         {}};
  c.a.resize(static_cast<std::size_t>(c.lda() * (c.trans_a ? c.m : c.k)));
  c.b.resize(static_cast<std::size_t>(c.ldb() * (c.trans_b ? c.k : c.n)));
  for (auto& v : c.a) v = element(engine, c.type, inputs);
  for (auto& v : c.b) v = element(engine, c.type, inputs);
  return c;
}

TEST(HostGfx11, EveryLoopGivesWhatTheStepGives) {
  for (const Gfx11Loop& loop : host::gfx11_loops()) {
    std::mt19937 engine(20260211);
    for (const Inputs inputs :
         {Inputs::any, Inputs::cancelling, Inputs::mixed, Inputs::not_finite}) {
      for (int round = 0; round < 150; ++round) {
        const Case c = random_case(engine, inputs, 40);
        const auto sums = c.product(loop);
        for (std::int64_t j = 0; j < c.n; ++j) {
          for (std::int64_t i = 0; i < c.m; ++i) {
            const float got = sums[static_cast<std::size_t>(j * c.m + i)];
            const float want = c.by_step(i, j);
            if (std::isnan(want) && std::isnan(got)) continue;
            ASSERT_EQ(std::bit_cast<std::uint32_t>(got), std::bit_cast<std::uint32_t>(want))
                << loop.name << ": " << got << " for " << want << " at " << i << ", " << j << " of "
                << c.m << " x " << c.n << " x " << c.k << ", inputs " << static_cast<int>(inputs);
          }
        }
      }
    }
  }
}

// Without NaN or infinity among them the loops themselves must have run, not the step.
TEST(HostGfx11, LoopsRunWhereSumsStayFinite) {
  static int runs = 0;
  const Gfx11Loop counted{"counted", [](const float*, const float*, std::int64_t, float* out) {
                            ++runs;
                            std::fill(out, out + 64, 5.0f);
                          }};
  std::mt19937 engine(7);
  Case c = random_case(engine, Inputs::mixed, 16);
  EXPECT_EQ(c.product(counted), std::vector<float>(static_cast<std::size_t>(c.m * c.n), 5.0f));
  EXPECT_GT(runs, 0);
  runs = 0;
  std::fill(c.a.begin(), c.a.end(), c.type == ElementType::bf16 ? 0x7f80u : 0x7c00u);
  c.product(counted);
  EXPECT_EQ(runs, 0) << "infinities";
}

// 2206: the error is far below K u sum|a b|; checks allow twice that.
TEST(HostGfx11, ErrorStaysWithinTheBound) {
  std::mt19937 engine(99);
  for (const Inputs inputs : {Inputs::cancelling, Inputs::mixed}) {
    for (int round = 0; round < 200; ++round) {
      const Case c = random_case(engine, inputs, 24);
      const auto sums = c.product(host::gfx11_loops().front());
      for (std::int64_t j = 0; j < c.n; ++j) {
        for (std::int64_t i = 0; i < c.m; ++i) {
          long double exact = 0;
          long double magnitude = 0;
          for (std::int64_t l = 0; l < c.k; ++l) {
            const long double p = static_cast<long double>(c.a_at(i, l)) * c.b_at(l, j);
            exact += p;
            magnitude += std::fabs(p);
          }
          const long double error = std::fabs(sums[static_cast<std::size_t>(j * c.m + i)] - exact);
          ASSERT_LE(error, 2 * static_cast<long double>(c.k) * 0x1p-24L * magnitude) << c.k;
        }
      }
    }
  }
}

// Large enough for several threads, with a panel and a group that are not full.
TEST(HostGfx11, LargeProductsAreSpreadAndTheSame) {
  std::mt19937 engine(3);
  Case c{ElementType::bf16, true, false, 301, 203, 401, {}, {}};
  c.a.resize(static_cast<std::size_t>(c.lda() * c.m));
  c.b.resize(static_cast<std::size_t>(c.ldb() * c.n));
  for (auto& v : c.a) v = element(engine, c.type, Inputs::mixed);
  for (auto& v : c.b) v = element(engine, c.type, Inputs::mixed);
  const auto sums = c.product(host::gfx11_loops().front());
  for (std::int64_t j = 0; j < c.n; j += 7) {
    for (std::int64_t i = 0; i < c.m; i += 5) {
      ASSERT_EQ(sums[static_cast<std::size_t>(j * c.m + i)], c.by_step(i, j)) << i << ", " << j;
    }
  }
}

}  // namespace
}  // namespace hiplab::test
