// How gfx11 matrix instructions add bf16 and f16 products. A residue stays where the IEEE sum is
// zero (mlxcel 2206, rocm-systems 12056).
//
// Measured there, on gfx1151: the sums of single instructions (v_wmma_f32_16x16x16_bf16, its f16
// form and v_dot2_f32_bf16), and bf16 products through the libraries. gfx11_step() is a model that
// gives each of those values. Assumed, as nothing public tells it: that the libraries walk K in
// order; products outside f32's range, infinities and NaN, which are added the IEEE way; terms of
// less than 2^-102, which are put on the grid of 2^-102.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/host/gemm.h"

namespace hiplab::driver::host {

// One step of an instruction: the accumulator and two exact products.
//
// All three are put on one grid, that of the largest exponent among those that are not zero with 24
// fractional bits below it; magnitudes are truncated to it. Signs are taken relative to the
// accumulator's, an accumulator of zero being positive: a term of the same sign enters as its
// magnitude, one of the other as the one's complement of it, -magnitude - 1 unit, without the
// increment that two's complement has. A term of zero enters as nothing. The sum is rounded to f32,
// to nearest even. Never returns -0.
float gfx11_step(float accumulator, float p0, float p1);

// One side of a product, 16-bit elements of type bf16 or f16: element (i, k) of op(A), or (k, j) of
// op(B), is base[i * stride + k * k_stride].
struct Gfx11Operand {
  ElementType type;
  const void* base;
  std::int64_t stride;
  std::int64_t k_stride;
};

// 16 x 4 outputs of one tile: out[4][16] from lanes[2 * steps][16] and columns[2 * steps][4]. Every
// accumulator must stay finite.
struct Gfx11Loop {
  const char* name;
  void (*run)(const float* lanes, const float* columns, std::int64_t steps, float* out);
};

// Those that this CPU can run, fastest first; all give what gfx11_step() gives.
const std::vector<Gfx11Loop>& gfx11_loops();

// sums[j * m + i], dense: the chain of steps over k in order, two products each, from an
// accumulator of zero; an odd k has a product of zero behind it. Large products are spread over the
// machine's threads, one such product at a time. Scratch belongs to the calling thread.
void gfx11_product(const Gfx11Operand& a, const Gfx11Operand& b, std::int64_t m, std::int64_t n,
                   std::int64_t k, float* sums, const Gfx11Loop& loop = gfx11_loops().front());

}  // namespace hiplab::driver::host
