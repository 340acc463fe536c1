#include "backend/gemm_call.h"

#include <limits>
#include <string>

namespace hiplab::backend {

const char* element_name(ElementType type) {
  switch (type) {
    case ElementType::f32:
      return "f32";
    case ElementType::f16:
      return "f16";
    case ElementType::bf16:
      return "bf16";
    case ElementType::f8:
      return "f8";
  }
  return "unknown";
}

hipDataType hip_type(ElementType type) {
  switch (type) {
    case ElementType::f16:
      return HIP_R_16F;
    case ElementType::bf16:
      return HIP_R_16BF;
    case ElementType::f8:
      return HIP_R_8F_E4M3;
    default:
      return HIP_R_32F;
  }
}

rocblas_datatype rocblas_type(ElementType type) {
  switch (type) {
    case ElementType::f16:
      return rocblas_datatype_f16_r;
    case ElementType::bf16:
      return rocblas_datatype_bf16_r;
    case ElementType::f8:
      throw Error("rocBLAS takes no GEMM of f8: allowed are f32, f16 and bf16");
    default:
      return rocblas_datatype_f32_r;
  }
}

ColumnMajor column_major(const GemmShape& s) {
  ColumnMajor c{};
  c.first_op = s.trans_b ? HIPBLAS_OP_T : HIPBLAS_OP_N;
  c.second_op = s.trans_a ? HIPBLAS_OP_T : HIPBLAS_OP_N;
  c.rows = s.n;
  c.cols = s.m;
  c.depth = s.k;
  c.first_rows = s.trans_b ? s.k : s.n;
  c.first_cols = s.trans_b ? s.n : s.k;
  c.second_rows = s.trans_a ? s.m : s.k;
  c.second_cols = s.trans_a ? s.k : s.m;
  c.first_stride = s.k * s.n;
  c.second_stride = s.m * s.k;
  c.result_stride = s.m * s.n;
  return c;
}

void check_shape(const GemmShape& s) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max();
  const auto check_one = [](const char* name, std::int64_t value) {
    if (value < 1 || value > kLargest) {
      throw Error("GEMM: " + std::string(name) + " is " + std::to_string(value) +
                  ", allowed are 1 to " + std::to_string(kLargest));
    }
  };
  check_one("m", s.m);
  check_one("n", s.n);
  check_one("k", s.k);
  check_one("batch", s.batch);
  const auto check_bytes = [&](const char* name, std::int64_t rows, std::int64_t cols) {
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(rows * cols, s.batch, &bytes) ||
        __builtin_mul_overflow(bytes, std::int64_t{4}, &bytes)) {
      throw Error("GEMM: " + std::string(name) + " of " + std::to_string(rows) + " x " +
                  std::to_string(cols) + " x batch " + std::to_string(s.batch) +
                  " has more bytes than 64 bits can count: make it smaller");
    }
  };
  check_bytes("A", s.m, s.k);
  check_bytes("B", s.k, s.n);
  check_bytes("C", s.m, s.n);
  if (s.type == ElementType::f8 && (s.trans_a || !s.trans_b)) {
    throw Error(std::string("GEMM of f8: A is ") + (s.trans_a ? "transposed" : "not transposed") +
                " and B is " + (s.trans_b ? "transposed" : "not transposed") +
                ", allowed is A not transposed with B transposed");
  }
}

}  // namespace hiplab::backend
