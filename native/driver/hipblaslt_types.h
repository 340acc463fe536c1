// hipBLASLt's C types, of those in use: see rocm_types.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hiplab::rocm {

enum hipDataType : int {
  HIP_R_32F = 0,
  HIP_R_64F = 1,
  HIP_R_16F = 2,
  HIP_R_8I = 3,
  HIP_R_8U = 8,
  HIP_R_32I = 10,
  HIP_R_16BF = 14,
  HIP_R_8F_E4M3 = 28,
  HIP_R_8F_E5M2 = 29,
};

enum hipblasStatus_t : int {
  HIPBLAS_STATUS_SUCCESS = 0,
  HIPBLAS_STATUS_NOT_INITIALIZED = 1,
  HIPBLAS_STATUS_ALLOC_FAILED = 2,
  HIPBLAS_STATUS_INVALID_VALUE = 3,
  HIPBLAS_STATUS_MAPPING_ERROR = 4,
  HIPBLAS_STATUS_EXECUTION_FAILED = 5,
  HIPBLAS_STATUS_INTERNAL_ERROR = 6,
  HIPBLAS_STATUS_NOT_SUPPORTED = 7,
  HIPBLAS_STATUS_ARCH_MISMATCH = 8,
  HIPBLAS_STATUS_HANDLE_IS_NULLPTR = 9,
  HIPBLAS_STATUS_INVALID_ENUM = 10,
  HIPBLAS_STATUS_UNKNOWN = 11,
};

enum hipblasComputeType_t : int { HIPBLAS_COMPUTE_32F = 2, HIPBLAS_COMPUTE_32I = 9 };
enum hipblasOperation_t : int { HIPBLAS_OP_N = 111, HIPBLAS_OP_T = 112, HIPBLAS_OP_C = 113 };

using hipblasLtHandle_t = void*;
struct hipblasLtMatmulDescOpaque_t;
struct hipblasLtMatrixLayoutOpaque_t;
struct hipblasLtMatmulPreferenceOpaque_t;
using hipblasLtMatmulDesc_t = hipblasLtMatmulDescOpaque_t*;
using hipblasLtMatrixLayout_t = hipblasLtMatrixLayoutOpaque_t*;
using hipblasLtMatmulPreference_t = hipblasLtMatmulPreferenceOpaque_t*;

enum hipblasLtMatmulDescAttributes_t : int {
  HIPBLASLT_MATMUL_DESC_TRANSA = 0,
  HIPBLASLT_MATMUL_DESC_TRANSB = 1,
  HIPBLASLT_MATMUL_DESC_EPILOGUE = 2,
};

enum hipblasLtMatrixLayoutAttribute_t : int {
  HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 0,           // int32
  HIPBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 1,  // int64, elements
};

enum hipblasLtMatmulPreferenceAttributes_t : int {
  HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,  // uint64
};

struct hipblasLtMatmulAlgo_t {
  std::uint8_t data[16];
  size_t max_workspace_bytes;
};
static_assert(sizeof(hipblasLtMatmulAlgo_t) == 24);

struct hipblasLtMatmulHeuristicResult_t {
  hipblasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  hipblasStatus_t state;
  float wavesCount;
  int reserved[4];
};
static_assert(sizeof(hipblasLtMatmulHeuristicResult_t) == 56);
static_assert(offsetof(hipblasLtMatmulHeuristicResult_t, workspaceSize) == 24);
static_assert(offsetof(hipblasLtMatmulHeuristicResult_t, wavesCount) == 36);

}  // namespace hiplab::rocm
