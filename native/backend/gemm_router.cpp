#include "backend/gemm_router.h"

namespace hiplab::backend {

rocblas_status rocblas_gemm(const Table& api, rocblas_handle handle, const GemmCall& call) {
  const ColumnMajor s = column_major(call.shape);
  // hipBLAS and rocBLAS share the values of their operations (111, 112).
  const auto first_op = static_cast<rocblas_operation>(s.first_op);
  const auto second_op = static_cast<rocblas_operation>(s.second_op);
  const auto rows = static_cast<rocblas_int>(s.rows);
  const auto cols = static_cast<rocblas_int>(s.cols);
  const auto depth = static_cast<rocblas_int>(s.depth);
  const auto first_ld = static_cast<rocblas_int>(s.first_rows);
  const auto second_ld = static_cast<rocblas_int>(s.second_rows);
  if (call.shape.type == ElementType::f32 && call.shape.batch == 1) {
    return api.rocblas_sgemm(handle, first_op, second_op, rows, cols, depth, &call.alpha,
                             static_cast<const float*>(call.b), first_ld,
                             static_cast<const float*>(call.a), second_ld, &call.beta,
                             static_cast<float*>(call.c), rows);
  }
  const rocblas_datatype type = rocblas_type(call.shape.type);
  return api.rocblas_gemm_strided_batched_ex(
      handle, first_op, second_op, rows, cols, depth, &call.alpha, call.b, type, first_ld,
      s.first_stride, call.a, type, second_ld, s.second_stride, &call.beta, call.c, type, rows,
      s.result_stride, call.c, type, rows, s.result_stride,
      static_cast<rocblas_int>(call.shape.batch), rocblas_datatype_f32_r,
      rocblas_gemm_algo_standard, 0, 0);
}

}  // namespace hiplab::backend
