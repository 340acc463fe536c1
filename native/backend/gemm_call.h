// One GEMM as the caller means it (row-major) and as BLAS wants it (column-major).
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/check.h"

namespace hiplab::backend {

// f8 is E4M3 (OCP) and for inputs only: its GEMMs give bf16.
enum class ElementType : int { f32 = 0, f16 = 1, bf16 = 2, f8 = 3 };

constexpr std::size_t element_bytes(ElementType type) {
  if (type == ElementType::f8) return 1;
  return type == ElementType::f32 ? 4 : 2;
}

// The type of C for A and B of type `inputs`.
constexpr ElementType result_type(ElementType inputs) {
  return inputs == ElementType::f8 ? ElementType::bf16 : inputs;
}
const char* element_name(ElementType type);
hipDataType hip_type(ElementType type);
rocblas_datatype rocblas_type(ElementType type);  // throws for f8, which only hipBLASLt takes

// Shape of C = alpha op(A) op(B) + beta C: dense row-major, op(A) m x k, op(B) k x n, C m x n, and
// `batch` of them one after the other.
struct GemmShape {
  ElementType type = ElementType::f32;  // of A and B; C has result_type(type)
  bool trans_a = false;
  bool trans_b = false;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::int64_t batch = 1;

  bool operator==(const GemmShape&) const = default;
};

struct GemmCall {
  GemmShape shape;
  float alpha = 1.0f;
  const void* a = nullptr;
  const void* b = nullptr;
  float beta = 0.0f;
  void* c = nullptr;
};

// The same product in column-major terms. A row-major matrix read column-major is its transpose,
// and C^T = op(B)^T op(A)^T, so `first` is the caller's B and `second` the caller's A.
struct ColumnMajor {
  hipblasOperation_t first_op;
  hipblasOperation_t second_op;
  std::int64_t rows;                                        // of C^T: n
  std::int64_t cols;                                        // of C^T: m
  std::int64_t depth;                                       // k
  std::int64_t first_rows, first_cols;                      // as stored; leading dimension = rows
  std::int64_t second_rows, second_cols;                    // as stored; leading dimension = rows
  std::int64_t first_stride, second_stride, result_stride;  // elements
};
ColumnMajor column_major(const GemmShape& shape);

// Throws hiplab::Error when a dimension is below 1, or a dimension or a matrix is beyond what
// rocBLAS's 32-bit sizes can say, and for f8 unless A is as it is and B transposed: hipBLASLt has
// fp8 GEMMs in that layout (TN in its column-major terms).
void check_shape(const GemmShape& shape);

}  // namespace hiplab::backend
