// gfx11_step() on many outputs at once, in f32 and int32 alone.
//
// With e the largest exponent, s = 2^(24 - e) and the accumulator's sign in s, the three terms
// times s are multiples of the grid's unit: the accumulator's is never negative, a product's is
// where its sign is the other one. Conversion to int32 truncates magnitudes. One unit less for each
// negative term is its sign bit, shifted over the word: adding +0 in the multiplication has made a
// zero's sign bit 0, and a term too small for the grid keeps its own. The conversion of the sum to
// f32 rounds to nearest even, and 1 / s takes grid and sign back, exactly; +0 is added again, as an
// accumulator of zero is positive. s has a bit pattern for e >= -102.
#include <bit>
#include <cmath>
#include <cstring>

#include "driver/host/gfx11.h"
#include "driver/host/gfx11_tiles.h"

#if defined(__x86_64__)
// GCC 12 takes the undefined operands of its own AVX-512 functions for a mistake (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#endif

namespace hiplab::driver::host {
namespace {

constexpr std::uint32_t kSign = 0x80000000u;
constexpr std::uint32_t kExponent = 0x7f800000u;
constexpr std::uint32_t kLowest = 25u << 23;       // 2^-102
constexpr std::uint32_t kScale = 278u << 23;       // minus e's field: 2^(24 - e)'s
constexpr std::uint32_t kReciprocal = 254u << 23;  // minus s: 1 / s

float portable_step(float sum, float p0, float p1) {
  const auto field = [](float x) { return std::bit_cast<std::uint32_t>(x) & kExponent; };
  std::uint32_t exponent = kLowest;
  for (const float term : {sum, p0, p1}) {
    exponent = field(term) > exponent ? field(term) : exponent;
  }
  const std::uint32_t s = kScale - (exponent | (std::bit_cast<std::uint32_t>(sum) & kSign));
  const float scale = std::bit_cast<float>(s);
  const auto entered = [&](float p) {
    // By comparison: a product of p and s that underflows would lose the sign.
    const bool opposite = std::signbit(scale) ? p > 0.0f : p < 0.0f;
    return static_cast<std::int32_t>(p * scale) - (opposite ? 1 : 0);
  };
  const std::int32_t total = static_cast<std::int32_t>(sum * scale) + entered(p0) + entered(p1);
  return static_cast<float>(total) * std::bit_cast<float>(kReciprocal - s) + 0.0f;
}

void portable(const float* lanes, const float* columns, std::int64_t steps, float* out) {
  for (int c = 0; c < kGfx11Columns; ++c) {
    float sums[kGfx11Lanes] = {};
    for (std::int64_t step = 0; step < steps; ++step) {
      const float* a = lanes + step * 2 * kGfx11Lanes;
      const float* b = columns + step * 2 * kGfx11Columns + c;
      for (int i = 0; i < kGfx11Lanes; ++i) {
        sums[i] = portable_step(sums[i], a[i] * b[0], a[kGfx11Lanes + i] * b[kGfx11Columns]);
      }
    }
    std::memcpy(out + c * kGfx11Lanes, sums, sizeof sums);
  }
}

#if defined(__x86_64__)

__attribute__((target("avx2,fma"), always_inline)) inline __m256 avx2_step(__m256 sum, __m256 p0,
                                                                           __m256 p1) {
  const __m256i fields = _mm256_set1_epi32(static_cast<int>(kExponent));
  const __m256i bits = _mm256_castps_si256(sum);
  const __m256i e0 = _mm256_and_si256(_mm256_castps_si256(p0), fields);
  const __m256i e1 = _mm256_and_si256(_mm256_castps_si256(p1), fields);
  const __m256i lowest = _mm256_set1_epi32(static_cast<int>(kLowest));
  const __m256i exponent = _mm256_max_epi32(
      _mm256_max_epi32(e0, e1), _mm256_max_epi32(_mm256_and_si256(bits, fields), lowest));
  const __m256i sign = _mm256_and_si256(bits, _mm256_set1_epi32(static_cast<int>(kSign)));
  const __m256i s = _mm256_sub_epi32(_mm256_set1_epi32(static_cast<int>(kScale)),
                                     _mm256_or_si256(exponent, sign));
  const __m256 scale = _mm256_castsi256_ps(s);
  const __m256 zero = _mm256_setzero_ps();
  const __m256 q0 = _mm256_fmadd_ps(p0, scale, zero);
  const __m256 q1 = _mm256_fmadd_ps(p1, scale, zero);
  const __m256i less = _mm256_add_epi32(_mm256_srai_epi32(_mm256_castps_si256(q0), 31),
                                        _mm256_srai_epi32(_mm256_castps_si256(q1), 31));
  const __m256i products = _mm256_add_epi32(_mm256_cvttps_epi32(q0), _mm256_cvttps_epi32(q1));
  const __m256i total = _mm256_add_epi32(_mm256_cvttps_epi32(_mm256_mul_ps(sum, scale)),
                                         _mm256_add_epi32(products, less));
  const __m256i inverse = _mm256_sub_epi32(_mm256_set1_epi32(static_cast<int>(kReciprocal)), s);
  return _mm256_fmadd_ps(_mm256_cvtepi32_ps(total), _mm256_castsi256_ps(inverse), zero);
}

__attribute__((target("avx2,fma"))) void avx2(const float* lanes, const float* columns,
                                              std::int64_t steps, float* out) {
  for (int half = 0; half < kGfx11Lanes; half += 8) {
    __m256 sums[kGfx11Columns];
    for (__m256& sum : sums) sum = _mm256_setzero_ps();
    for (std::int64_t step = 0; step < steps; ++step) {
      const float* a = lanes + step * 2 * kGfx11Lanes + half;
      const float* b = columns + step * 2 * kGfx11Columns;
      const __m256 a0 = _mm256_loadu_ps(a);
      const __m256 a1 = _mm256_loadu_ps(a + kGfx11Lanes);
#pragma GCC unroll 4
      for (int c = 0; c < kGfx11Columns; ++c) {
        sums[c] = avx2_step(sums[c], _mm256_mul_ps(a0, _mm256_set1_ps(b[c])),
                            _mm256_mul_ps(a1, _mm256_set1_ps(b[kGfx11Columns + c])));
      }
    }
    for (int c = 0; c < kGfx11Columns; ++c) {
      _mm256_storeu_ps(out + c * kGfx11Lanes + half, sums[c]);
    }
  }
}

// vrangeps takes the larger magnitude of two, with the sign of the first or none.
constexpr int kLargerMagnitude = 0b0011;
constexpr int kWithoutSign = 0b1000;

__attribute__((target("avx512f,avx512dq"), always_inline)) inline __m512 avx512_step(__m512 sum,
                                                                                     __m512 p0,
                                                                                     __m512 p1) {
  const __m512i product =
      _mm512_castps_si512(_mm512_range_ps(p0, p1, kLargerMagnitude | kWithoutSign));
  const __m512 at_least =
      _mm512_castsi512_ps(_mm512_max_epi32(product, _mm512_set1_epi32(static_cast<int>(kLowest))));
  const __m512i largest = _mm512_castps_si512(_mm512_range_ps(sum, at_least, kLargerMagnitude));
  const __m512i s = _mm512_sub_epi32(
      _mm512_set1_epi32(static_cast<int>(kScale)),
      _mm512_and_si512(largest, _mm512_set1_epi32(static_cast<int>(kExponent | kSign))));
  const __m512 scale = _mm512_castsi512_ps(s);
  const __m512 zero = _mm512_setzero_ps();
  const __m512 q0 = _mm512_fmadd_ps(p0, scale, zero);
  const __m512 q1 = _mm512_fmadd_ps(p1, scale, zero);
  const __m512i less = _mm512_add_epi32(_mm512_srai_epi32(_mm512_castps_si512(q0), 31),
                                        _mm512_srai_epi32(_mm512_castps_si512(q1), 31));
  const __m512i products = _mm512_add_epi32(_mm512_cvttps_epi32(q0), _mm512_cvttps_epi32(q1));
  const __m512i total = _mm512_add_epi32(_mm512_cvttps_epi32(_mm512_mul_ps(sum, scale)),
                                         _mm512_add_epi32(products, less));
  const __m512i inverse = _mm512_sub_epi32(_mm512_set1_epi32(static_cast<int>(kReciprocal)), s);
  return _mm512_fmadd_ps(_mm512_cvtepi32_ps(total), _mm512_castsi512_ps(inverse), zero);
}

__attribute__((target("avx512f,avx512dq"))) void avx512(const float* lanes, const float* columns,
                                                        std::int64_t steps, float* out) {
  __m512 sums[kGfx11Columns];
  for (__m512& sum : sums) sum = _mm512_setzero_ps();
  for (std::int64_t step = 0; step < steps; ++step) {
    const float* a = lanes + step * 2 * kGfx11Lanes;
    const float* b = columns + step * 2 * kGfx11Columns;
    const __m512 a0 = _mm512_loadu_ps(a);
    const __m512 a1 = _mm512_loadu_ps(a + kGfx11Lanes);
#pragma GCC unroll 4
    for (int c = 0; c < kGfx11Columns; ++c) {
      sums[c] = avx512_step(sums[c], _mm512_mul_ps(a0, _mm512_set1_ps(b[c])),
                            _mm512_mul_ps(a1, _mm512_set1_ps(b[kGfx11Columns + c])));
    }
  }
  for (int c = 0; c < kGfx11Columns; ++c) _mm512_storeu_ps(out + c * kGfx11Lanes, sums[c]);
}

#endif

}  // namespace

const std::vector<Gfx11Loop>& gfx11_loops() {
  static const auto* all = [] {
    auto* loops = new std::vector<Gfx11Loop>;  // leaked: queue threads may outlive main
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
      loops->push_back({"avx512", avx512});
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      loops->push_back({"avx2", avx2});
    }
#endif
    loops->push_back({"portable", portable});
    return loops;
  }();
  return *all;
}

}  // namespace hiplab::driver::host
