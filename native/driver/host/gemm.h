// What a GEMM step computes. Column-major, as the BLAS interfaces are.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hiplab::driver::host {

enum class ElementType : std::int64_t { f32 = 0, f16 = 1, bf16 = 2, f8 = 3 };  // f8: E4M3

std::size_t element_bytes(ElementType type);

// The type of C and D: bf16 for f8 inputs (as the fp8 route of mlxcel 2200 uses it), else the
// inputs' own.
constexpr ElementType result_type(ElementType inputs) {
  return inputs == ElementType::f8 ? ElementType::bf16 : inputs;
}

// D = alpha op(A) op(B) + beta C for each of `batch` problems; strides and leading dimensions count
// elements. op(A) is m x k, op(B) is k x n, C and D are m x n. C is not read when beta is 0. Sums
// are f32 for every element type; alpha, beta and the rounding to D's type come after them.
struct Gemm {
  const void* a = nullptr;
  const void* b = nullptr;
  const void* c = nullptr;
  void* d = nullptr;
  ElementType type = ElementType::f32;  // of A and B
  // The device's profile says so: bf16 and f16 sums are IEEE sums, else those of gfx11.h.
  bool adds_ieee = true;
  bool trans_a = false;
  bool trans_b = false;
  std::int64_t m = 0, n = 0, k = 0, batch = 1;
  float alpha = 1.0f, beta = 0.0f;
  std::int64_t lda = 0, ldb = 0, ldc = 0, ldd = 0;
  std::int64_t stride_a = 0, stride_b = 0, stride_c = 0, stride_d = 0;

  ElementType result() const { return result_type(type); }

  // Elements that one matrix reaches over: leading dimension, rows and columns as stored.
  std::int64_t rows_a() const { return trans_a ? k : m; }
  std::int64_t cols_a() const { return trans_a ? m : k; }
  std::int64_t rows_b() const { return trans_b ? n : k; }
  std::int64_t cols_b() const { return trans_b ? k : n; }
};

// Bytes from the first to behind the last element of `batch` matrices; SIZE_MAX when a size_t
// cannot hold them or a stride leads below the first, which no block of memory can satisfy.
std::size_t extent_bytes(ElementType type, std::int64_t rows, std::int64_t cols, std::int64_t ld,
                         std::int64_t batch, std::int64_t stride);

// Bytes of the f32 partial sums of `splits` parts of K; SIZE_MAX as above.
std::size_t partial_bytes(const Gemm& gemm, int splits);

// Sizes fit OpenBLAS's 32-bit integers.
bool sizes_fit(const Gemm& gemm);

// The steps of a GEMM. OpenBLAS must have been loaded (OpenBlas::get()). Scratch belongs to the
// calling thread.
void compute(const Gemm& gemm);

// Split-K: part `split` of `splits` of every batch's product, unscaled, into
// partials[(split * batch + b) * m * n ...], dense.
void compute_partial(const Gemm& gemm, int splits, int split, float* partials);

// D = alpha (sum of the parts) + beta C.
void reduce_partials(const Gemm& gemm, int splits, const float* partials);

}  // namespace hiplab::driver::host
