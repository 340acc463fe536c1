#include "backend/heuristics.h"

#include <algorithm>
#include <cstdint>

namespace hiplab::backend {
namespace {

OwnedLayout make_layout(const Table& api, const Where& where, hipDataType type, std::int64_t rows,
                        std::int64_t cols, std::int64_t batch, std::int64_t stride) {
  hipblasLtMatrixLayout_t raw = nullptr;
  HIPLAB_CHECK(api, where, hipblasLtMatrixLayoutCreate, &raw, type,
               static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(cols), rows);
  OwnedLayout layout(api, raw);
  if (batch > 1) {
    const auto count = static_cast<std::int32_t>(batch);
    HIPLAB_CHECK(api, where, hipblasLtMatrixLayoutSetAttribute, raw,
                 HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof(count));
    HIPLAB_CHECK(api, where, hipblasLtMatrixLayoutSetAttribute, raw,
                 HIPBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof(stride));
  }
  return layout;
}

}  // namespace

MatmulDescriptors make_descriptors(const Table& api, int device, const GemmShape& shape) {
  const Where where{device};
  const ColumnMajor c = column_major(shape);
  const hipDataType type = hip_type(shape.type);
  const hipDataType result = hip_type(result_type(shape.type));
  MatmulDescriptors made;
  hipblasLtMatmulDesc_t desc = nullptr;
  HIPLAB_CHECK(api, where, hipblasLtMatmulDescCreate, &desc, HIPBLAS_COMPUTE_32F, HIP_R_32F);
  made.desc = OwnedMatmulDesc(api, desc);
  const std::int32_t first_op = c.first_op;
  const std::int32_t second_op = c.second_op;
  HIPLAB_CHECK(api, where, hipblasLtMatmulDescSetAttribute, desc, HIPBLASLT_MATMUL_DESC_TRANSA,
               &first_op, sizeof(first_op));
  HIPLAB_CHECK(api, where, hipblasLtMatmulDescSetAttribute, desc, HIPBLASLT_MATMUL_DESC_TRANSB,
               &second_op, sizeof(second_op));
  made.first =
      make_layout(api, where, type, c.first_rows, c.first_cols, shape.batch, c.first_stride);
  made.second =
      make_layout(api, where, type, c.second_rows, c.second_cols, shape.batch, c.second_stride);
  made.c = make_layout(api, where, result, c.rows, c.cols, shape.batch, c.result_stride);
  made.d = make_layout(api, where, result, c.rows, c.cols, shape.batch, c.result_stride);
  return made;
}

std::vector<hipblasLtMatmulHeuristicResult_t> query_heuristics(const Table& api, int device,
                                                               hipblasLtHandle_t handle,
                                                               const MatmulDescriptors& descriptors,
                                                               int requested, std::size_t cap) {
  if (requested < 1 || requested > kMostCandidates) {
    throw Error("heuristics: requested is " + std::to_string(requested) + ", allowed are 1 to " +
                std::to_string(kMostCandidates));
  }
  const Where where{device};
  hipblasLtMatmulPreference_t raw = nullptr;
  HIPLAB_CHECK(api, where, hipblasLtMatmulPreferenceCreate, &raw);
  const OwnedPreference preference(api, raw);
  const std::uint64_t bytes = cap;
  HIPLAB_CHECK(api, where, hipblasLtMatmulPreferenceSetAttribute, raw,
               HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof(bytes));
  std::vector<hipblasLtMatmulHeuristicResult_t> results(static_cast<std::size_t>(requested));
  int returned = 0;
  const hipblasStatus_t status = api.hipblasLtMatmulAlgoGetHeuristic(
      handle, descriptors.desc.get(), descriptors.first.get(), descriptors.second.get(),
      descriptors.c.get(), descriptors.d.get(), raw, requested, results.data(), &returned);
  // "Nothing for this problem" is an answer, not an error.
  if (status == HIPBLAS_STATUS_NOT_SUPPORTED) return {};
  check(api, status, "hipblasLtMatmulAlgoGetHeuristic", where);
  results.resize(static_cast<std::size_t>(std::clamp(returned, 0, requested)));
  std::erase_if(results, [](const auto& r) { return r.state != HIPBLAS_STATUS_SUCCESS; });
  return results;
}

}  // namespace hiplab::backend
