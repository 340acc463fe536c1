// rocBLAS's C types, of those in use: see rocm_types.h.
#pragma once

#include <cstdint>

namespace hiplab::rocm {

enum rocblas_status : int {
  rocblas_status_success = 0,
  rocblas_status_invalid_handle = 1,
  rocblas_status_not_implemented = 2,
  rocblas_status_invalid_pointer = 3,
  rocblas_status_invalid_size = 4,
  rocblas_status_memory_error = 5,
  rocblas_status_internal_error = 6,
  rocblas_status_invalid_value = 11,
  rocblas_status_arch_mismatch = 15,
};

struct _rocblas_handle;
using rocblas_handle = _rocblas_handle*;
using rocblas_int = std::int32_t;
using rocblas_stride = std::int64_t;

enum rocblas_operation : int {
  rocblas_operation_none = 111,
  rocblas_operation_transpose = 112,
  rocblas_operation_conjugate_transpose = 113,
};

enum rocblas_datatype : int {
  rocblas_datatype_f16_r = 150,
  rocblas_datatype_f32_r = 151,
  rocblas_datatype_i8_r = 160,
  rocblas_datatype_i32_r = 162,
  rocblas_datatype_bf16_r = 168,
};

enum rocblas_gemm_algo : int { rocblas_gemm_algo_standard = 0 };

}  // namespace hiplab::rocm
