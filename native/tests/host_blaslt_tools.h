// A hipBLASLt problem as the tests use it: descriptor, layouts and preference, freed at the end.
#pragma once

#include "driver/host/blaslt.h"
#include "host_test_tools.h"

namespace hiplab::test {

inline constexpr std::uint64_t kCap = 32u << 20;  // the cap of mlxcel 2200

class Pipe {
 public:
  Pipe(const Table* t, hipDataType type, bool trans_a, bool trans_b, std::int64_t m, std::int64_t n,
       std::int64_t k, int batch = 1, std::uint64_t cap = kCap)
      : t_(t) {
    EXPECT_EQ(t->hipblasLtMatmulDescCreate(&desc, HIPBLAS_COMPUTE_32F, HIP_R_32F),
              HIPBLAS_STATUS_SUCCESS);
    set_op(HIPBLASLT_MATMUL_DESC_TRANSA, trans_a);
    set_op(HIPBLASLT_MATMUL_DESC_TRANSB, trans_b);
    a = layout(type, trans_a ? k : m, trans_a ? m : k, batch);
    b = layout(type, trans_b ? n : k, trans_b ? k : n, batch);
    d = layout(type, m, n, batch);
    EXPECT_EQ(t->hipblasLtMatmulPreferenceCreate(&pref), HIPBLAS_STATUS_SUCCESS);
    EXPECT_EQ(t->hipblasLtMatmulPreferenceSetAttribute(
                  pref, HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &cap, sizeof cap),
              HIPBLAS_STATUS_SUCCESS);
  }
  ~Pipe() {
    t_->hipblasLtMatmulDescDestroy(desc);
    for (auto l : {a, b, d}) t_->hipblasLtMatrixLayoutDestroy(l);
    t_->hipblasLtMatmulPreferenceDestroy(pref);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  std::vector<hipblasLtMatmulHeuristicResult_t> heuristic(hipblasLtHandle_t handle,
                                                          int requested = 16) const {
    std::vector<hipblasLtMatmulHeuristicResult_t> results(static_cast<std::size_t>(requested));
    int returned = 0;
    EXPECT_EQ(t_->hipblasLtMatmulAlgoGetHeuristic(handle, desc, a, b, d, d, pref, requested,
                                                  results.data(), &returned),
              HIPBLAS_STATUS_SUCCESS);
    results.resize(static_cast<std::size_t>(returned));
    return results;
  }

  hipblasStatus_t matmul(hipblasLtHandle_t handle, const void* pa, const void* pb, void* pd,
                         const hipblasLtMatmulAlgo_t* algo, void* workspace,
                         std::size_t workspace_bytes, hipStream_t stream) const {
    const float one = 1.0f;
    const float zero = 0.0f;
    return t_->hipblasLtMatmul(handle, desc, &one, pa, a, pb, b, &zero, pd, d, pd, d, algo,
                               workspace, workspace_bytes, stream);
  }

  hipblasLtMatmulDesc_t desc = nullptr;
  hipblasLtMatrixLayout_t a = nullptr;
  hipblasLtMatrixLayout_t b = nullptr;
  hipblasLtMatrixLayout_t d = nullptr;
  hipblasLtMatmulPreference_t pref = nullptr;

 private:
  void set_op(hipblasLtMatmulDescAttributes_t attr, bool trans) {
    const hipblasOperation_t op = trans ? HIPBLAS_OP_T : HIPBLAS_OP_N;
    EXPECT_EQ(t_->hipblasLtMatmulDescSetAttribute(desc, attr, &op, sizeof op),
              HIPBLAS_STATUS_SUCCESS);
  }
  hipblasLtMatrixLayout_t layout(hipDataType type, std::int64_t rows, std::int64_t cols,
                                 int batch) {
    hipblasLtMatrixLayout_t l = nullptr;
    EXPECT_EQ(t_->hipblasLtMatrixLayoutCreate(&l, type, static_cast<std::uint64_t>(rows),
                                              static_cast<std::uint64_t>(cols), rows),
              HIPBLAS_STATUS_SUCCESS);
    const std::int32_t count = batch;
    const std::int64_t stride = rows * cols;
    EXPECT_EQ(t_->hipblasLtMatrixLayoutSetAttribute(l, HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                                    sizeof count),
              HIPBLAS_STATUS_SUCCESS);
    EXPECT_EQ(t_->hipblasLtMatrixLayoutSetAttribute(l, HIPBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                                    &stride, sizeof stride),
              HIPBLAS_STATUS_SUCCESS);
    return l;
  }

  const Table* t_;
};

}  // namespace hiplab::test
