#include "driver/host/gemm.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "driver/host/float8.h"
#include "driver/host/gfx11.h"
#include "driver/host/half.h"
#include "driver/host/openblas.h"

namespace hiplab::driver::host {
namespace {

// OpenBLAS computes up to this many multiply-adds on the calling thread. Above it takes its thread
// pool, one caller at a time, so GEMMs a little larger are cut into columns that stay below: small
// GEMMs of several queues then run side by side.
constexpr std::int64_t kOneThread = 64 * 64 * 64;
constexpr std::int64_t kCutBelow = 8 * kOneThread;

// Products of 64-bit sizes that a program may choose freely.
__extension__ using Wide = __int128;

std::size_t to_size(Wide bytes) {
  return bytes > Wide{SIZE_MAX} ? SIZE_MAX : static_cast<std::size_t>(bytes);
}

struct Operand {
  const float* data;
  std::int64_t ld;
};

void sgemm(bool trans_a, bool trans_b, std::int64_t m, std::int64_t n, std::int64_t k, float alpha,
           Operand a, Operand b, float beta, float* c, std::int64_t ldc) {
  const OpenBlas& blas = OpenBlas::get();
  const std::int64_t work = m * n * k;
  std::int64_t columns = n;
  // Pieces of very few columns would cost more than the pool.
  constexpr std::int64_t kFewest = 8;
  if (work > kOneThread && work <= kCutBelow && kOneThread / (m * k) >= kFewest) {
    columns = kOneThread / (m * k);
  }
  for (std::int64_t j = 0; j < n; j += columns) {
    blas.sgemm(false, trans_a, trans_b, static_cast<int>(m),
               static_cast<int>(std::min(columns, n - j)), static_cast<int>(k), alpha, a.data,
               static_cast<int>(a.ld), b.data + (trans_b ? j : j * b.ld), static_cast<int>(b.ld),
               beta, c + j * ldc, static_cast<int>(ldc));
  }
}

const void* element(ElementType type, const void* base, std::int64_t index) {
  return static_cast<const std::byte*>(base) +
         index * static_cast<std::int64_t>(element_bytes(type));
}

float load(ElementType type, const void* base, std::int64_t index) {
  switch (type) {
    case ElementType::f16:
      return from_f16(static_cast<const std::uint16_t*>(base)[index]);
    case ElementType::bf16:
      return from_bf16(static_cast<const std::uint16_t*>(base)[index]);
    case ElementType::f8:
      return from_e4m3(static_cast<const std::uint8_t*>(base)[index]);
    default:
      return static_cast<const float*>(base)[index];
  }
}

void store(ElementType type, void* base, std::int64_t index, float value) {
  switch (type) {
    case ElementType::f16:
      static_cast<std::uint16_t*>(base)[index] = to_f16(value);
      break;
    case ElementType::bf16:
      static_cast<std::uint16_t*>(base)[index] = to_bf16(value);
      break;
    default:
      static_cast<float*>(base)[index] = value;
  }
}

template <typename Element, typename Convert>
void convert_columns(const void* base, std::int64_t rows, std::int64_t cols, std::int64_t ld,
                     float* out, Convert convert) {
  for (std::int64_t j = 0; j < cols; ++j, out += rows) {
    const Element* in = static_cast<const Element*>(base) + j * ld;
    for (std::int64_t i = 0; i < rows; ++i) out[i] = convert(in[i]);
  }
}

// A matrix as f32: itself, or converted into scratch, dense.
Operand as_float(ElementType type, const void* base, std::int64_t rows, std::int64_t cols,
                 std::int64_t ld, std::vector<float>& scratch) {
  if (type == ElementType::f32) return {static_cast<const float*>(base), ld};
  scratch.resize(static_cast<std::size_t>(rows * cols));
  if (type == ElementType::bf16) {
    convert_columns<std::uint16_t>(base, rows, cols, ld, scratch.data(), from_bf16);
  } else if (type == ElementType::f16) {
    convert_columns<std::uint16_t>(base, rows, cols, ld, scratch.data(), from_f16);
  } else {
    convert_columns<std::uint8_t>(base, rows, cols, ld, scratch.data(), from_e4m3);
  }
  return {scratch.data(), rows};
}

std::vector<float>& scratch_of_thread(int which) {
  thread_local std::vector<float> scratch[3];
  return scratch[which];
}

struct Slice {
  Operand a;
  Operand b;
};

// Where op(A)'s columns and op(B)'s rows from k0 on begin in one batch.
const void* a_from(const Gemm& g, std::int64_t index, std::int64_t k0) {
  return element(g.type, g.a, index * g.stride_a + (g.trans_a ? k0 : k0 * g.lda));
}

const void* b_from(const Gemm& g, std::int64_t index, std::int64_t k0) {
  return element(g.type, g.b, index * g.stride_b + (g.trans_b ? k0 * g.ldb : k0));
}

// op(A)'s columns and op(B)'s rows [k0, k0 + depth) of one batch, as f32.
Slice slice(const Gemm& g, std::int64_t index, std::int64_t k0, std::int64_t depth) {
  return {as_float(g.type, a_from(g, index, k0), g.trans_a ? depth : g.m, g.trans_a ? g.m : depth,
                   g.lda, scratch_of_thread(0)),
          as_float(g.type, b_from(g, index, k0), g.trans_b ? g.n : depth, g.trans_b ? depth : g.n,
                   g.ldb, scratch_of_thread(1))};
}

// The product of those columns and rows, unscaled and dense.
void multiply(const Gemm& g, std::int64_t index, std::int64_t k0, std::int64_t depth, float* sums) {
  const bool half = g.type == ElementType::bf16 || g.type == ElementType::f16;
  if (half && !g.adds_ieee) {
    const Gfx11Operand a{g.type, a_from(g, index, k0), g.trans_a ? g.lda : 1,
                         g.trans_a ? 1 : g.lda};
    const Gfx11Operand b{g.type, b_from(g, index, k0), g.trans_b ? 1 : g.ldb,
                         g.trans_b ? g.ldb : 1};
    gfx11_product(a, b, g.m, g.n, depth, sums);
    return;
  }
  const Slice s = slice(g, index, k0, depth);
  sgemm(g.trans_a, g.trans_b, g.m, g.n, depth, 1.0f, s.a, s.b, 0.0f, sums, g.m);
}

// D = beta C, without reading C when beta is 0.
void scale_c(const Gemm& g, std::int64_t index) {
  for (std::int64_t j = 0; j < g.n; ++j) {
    for (std::int64_t i = 0; i < g.m; ++i) {
      const float c = g.beta == 0.0f
                          ? 0.0f
                          : g.beta * load(g.result(), g.c, index * g.stride_c + j * g.ldc + i);
      store(g.result(), g.d, index * g.stride_d + j * g.ldd + i, c);
    }
  }
}

void compute_f32(const Gemm& g, std::int64_t index) {
  float* d = static_cast<float*>(g.d) + index * g.stride_d;
  const float* c = static_cast<const float*>(g.c) + index * g.stride_c;
  if (g.beta != 0.0f && (c != d || g.ldc != g.ldd)) {
    for (std::int64_t j = 0; j < g.n; ++j) {
      std::memmove(d + j * g.ldd, c + j * g.ldc, static_cast<std::size_t>(g.m) * sizeof(float));
    }
  }
  const Slice s = slice(g, index, 0, g.k);
  sgemm(g.trans_a, g.trans_b, g.m, g.n, g.k, g.alpha, s.a, s.b, g.beta, d, g.ldd);
}

// D = alpha * sums + beta C, element by element, sums dense.
void finish(const Gemm& g, std::int64_t index, const float* sums) {
  for (std::int64_t j = 0; j < g.n; ++j) {
    for (std::int64_t i = 0; i < g.m; ++i) {
      float value = g.alpha * sums[j * g.m + i];
      if (g.beta != 0.0f) {
        value += g.beta * load(g.result(), g.c, index * g.stride_c + j * g.ldc + i);
      }
      store(g.result(), g.d, index * g.stride_d + j * g.ldd + i, value);
    }
  }
}

}  // namespace

std::size_t partial_bytes(const Gemm& g, int splits) {
  return to_size(Wide{splits} * g.m * g.n * g.batch * Wide{sizeof(float)});
}

std::size_t element_bytes(ElementType type) {
  if (type == ElementType::f8) return 1;
  return type == ElementType::f32 ? 4 : 2;
}

std::size_t extent_bytes(ElementType type, std::int64_t rows, std::int64_t cols, std::int64_t ld,
                         std::int64_t batch, std::int64_t stride) {
  if (rows == 0 || cols == 0 || batch == 0) return 0;
  if (stride < 0) return SIZE_MAX;
  const Wide elements = Wide{batch - 1} * stride + Wide{cols - 1} * ld + rows;
  return to_size(elements * Wide(element_bytes(type)));
}

bool sizes_fit(const Gemm& g) {
  constexpr std::int64_t limit = std::numeric_limits<int>::max();
  for (std::int64_t size : {g.m, g.n, g.k, g.lda, g.ldb, g.ldc, g.ldd}) {
    if (size < 0 || size > limit) return false;
  }
  return true;
}

void compute(const Gemm& g) {
  for (std::int64_t index = 0; index < g.batch; ++index) {
    if (g.k == 0 || g.alpha == 0.0f) {
      scale_c(g, index);
    } else if (g.type == ElementType::f32) {
      compute_f32(g, index);
    } else {
      auto& sums = scratch_of_thread(2);
      sums.resize(static_cast<std::size_t>(g.m * g.n));
      multiply(g, index, 0, g.k, sums.data());
      finish(g, index, sums.data());
    }
  }
}

void compute_partial(const Gemm& g, int splits, int split, float* partials) {
  const std::int64_t k0 = g.k * split / splits;
  const std::int64_t depth = g.k * (split + 1) / splits - k0;
  for (std::int64_t index = 0; index < g.batch; ++index) {
    multiply(g, index, k0, depth, partials + (split * g.batch + index) * g.m * g.n);
  }
}

void reduce_partials(const Gemm& g, int splits, const float* partials) {
  auto& sums = scratch_of_thread(2);
  const std::int64_t size = g.m * g.n;
  sums.resize(static_cast<std::size_t>(size));
  for (std::int64_t index = 0; index < g.batch; ++index) {
    std::fill(sums.begin(), sums.end(), 0.0f);
    for (int split = 0; split < splits; ++split) {
      const float* part = partials + (split * g.batch + index) * size;
      for (std::int64_t i = 0; i < size; ++i) sums[static_cast<std::size_t>(i)] += part[i];
    }
    finish(g, index, sums.data());
  }
}

}  // namespace hiplab::driver::host
