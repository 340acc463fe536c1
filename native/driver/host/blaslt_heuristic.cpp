// Which algorithms the software device's hipBLASLt offers for a problem.
#include <cstring>

#include "driver/host/blaslt.h"
#include "driver/host/machine.h"
#include "sync/time.h"

namespace hiplab::driver::host {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

namespace {

bool element_type(hipDataType type, ElementType& out) {
  switch (type) {
    case HIP_R_32F:
      out = ElementType::f32;
      return true;
    case HIP_R_16F:
      out = ElementType::f16;
      return true;
    case HIP_R_16BF:
      out = ElementType::bf16;
      return true;
    case HIP_R_8F_E4M3:
      out = ElementType::f8;
      return machine().profile().has_fp8.value;
    default:
      return false;
  }
}

const char* type_name(ElementType type) {
  constexpr const char* kNames[] = {"f32", "f16", "bf16", "f8"};
  return kNames[static_cast<std::size_t>(type)];
}

bool has_shape(const hipblasLtMatrixLayoutOpaque_t& layout, std::int64_t rows, std::int64_t cols) {
  return layout.rows == rows && layout.cols == cols;
}

float tiles(std::int64_t size, int tile) { return static_cast<float>((size + tile - 1) / tile); }

float waves_of(const Profile& profile, const AlgoSpec& spec, const Gemm& g) {
  const float groups = tiles(g.m, spec.tile_rows) * tiles(g.n, spec.tile_cols) *
                       static_cast<float>(g.batch) * static_cast<float>(spec.splits);
  return groups / static_cast<float>(profile.multiprocessors.value);
}

}  // namespace

hipblasStatus_t describe(const hipblasLtMatmulDescOpaque_t& desc,
                         const hipblasLtMatrixLayoutOpaque_t& a,
                         const hipblasLtMatrixLayoutOpaque_t& b,
                         const hipblasLtMatrixLayoutOpaque_t& c,
                         const hipblasLtMatrixLayoutOpaque_t& d, Gemm& g) {
  if (!element_type(a.type, g.type) || b.type != a.type) return HIPBLAS_STATUS_NOT_SUPPORTED;
  const hipDataType result = data_type(g.result());
  if (c.type != result || d.type != result) return HIPBLAS_STATUS_NOT_SUPPORTED;
  g.trans_a = desc.trans_a != HIPBLAS_OP_N;
  g.trans_b = desc.trans_b != HIPBLAS_OP_N;
  // The one layout that the fp8 route of mlxcel 2200 uses; others are assumed to be missing.
  if (g.type == ElementType::f8 && !(g.trans_a && !g.trans_b)) return HIPBLAS_STATUS_NOT_SUPPORTED;
  g.m = d.rows, g.n = d.cols, g.k = g.trans_a ? a.rows : a.cols;
  g.batch = d.batch;
  g.lda = a.ld, g.ldb = b.ld, g.ldc = c.ld, g.ldd = d.ld;
  g.stride_a = a.stride, g.stride_b = b.stride, g.stride_c = c.stride, g.stride_d = d.stride;
  const bool shapes = has_shape(a, g.rows_a(), g.cols_a()) &&
                      has_shape(b, g.rows_b(), g.cols_b()) && has_shape(c, g.m, g.n);
  const bool batches = a.batch == g.batch && b.batch == g.batch && c.batch == g.batch;
  const bool leading = a.ld >= a.rows && b.ld >= b.rows && c.ld >= c.rows && d.ld >= d.rows;
  if (!shapes || !batches || !leading || g.m < 1 || g.n < 1 || g.k < 1 || !sizes_fit(g)) {
    return HIPBLAS_STATUS_INVALID_VALUE;
  }
  return HIPBLAS_STATUS_SUCCESS;
}

hipDataType data_type(ElementType type) {
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

const std::vector<AlgoSpec>& algos_of(const Profile& profile, ElementType type) {
  return type == ElementType::f32 ? profile.single_algos.value : profile.half_algos.value;
}

bool supports(const Profile& profile, const AlgoSpec& spec, const Gemm& g) {
  return spec.splits == 1 ||
         g.k >= static_cast<std::int64_t>(spec.splits) * profile.min_split_k.value;
}

std::uint64_t workspace_bytes(int splits, const Gemm& g) {
  return splits == 1 ? 0 : partial_bytes(g, splits);
}

hipblasLtMatmulAlgo_t encode(const AlgoCode& code, std::uint64_t max_workspace_bytes) {
  static_assert(sizeof(AlgoCode) == sizeof(hipblasLtMatmulAlgo_t::data));
  hipblasLtMatmulAlgo_t algo{};
  std::memcpy(algo.data, &code, sizeof code);
  algo.max_workspace_bytes = max_workspace_bytes;
  return algo;
}

AlgoCode decode(const hipblasLtMatmulAlgo_t& algo) {
  AlgoCode code{};
  std::memcpy(&code, algo.data, sizeof code);
  return code;
}

int splits_of(const Profile& profile, const hipblasLtMatmulAlgo_t& algo, const Gemm& g) {
  const AlgoCode code = decode(algo);
  const auto& specs = algos_of(profile, g.type);
  if (code.magic != kAlgoMagic || code.type != data_type(g.type) || code.index < 0 ||
      code.index >= static_cast<std::int32_t>(specs.size())) {
    return 0;
  }
  const AlgoSpec& spec = specs[static_cast<std::size_t>(code.index)];
  return spec.splits == code.splits && supports(profile, spec, g) ? spec.splits : 0;
}

int solution_index(const hipblasLtMatmulAlgo_t& algo) {
  const AlgoCode code = decode(algo);
  return code.magic == kAlgoMagic ? code.index : -1;
}

std::string solution_name(hipblasLtHandle_t, const hipblasLtMatmulAlgo_t& algo) {
  const AlgoCode code = decode(algo);
  Gemm gemm;
  if (code.magic != kAlgoMagic || !element_type(static_cast<hipDataType>(code.type), gemm.type)) {
    return "";
  }
  const auto& specs = algos_of(machine().profile(), gemm.type);
  if (code.index < 0 || code.index >= static_cast<std::int32_t>(specs.size())) return "";
  const AlgoSpec& spec = specs[static_cast<std::size_t>(code.index)];
  return std::string(type_name(gemm.type)) + "_MT" + std::to_string(spec.tile_rows) + "x" +
         std::to_string(spec.tile_cols) + "_SK" + std::to_string(spec.splits);
}

hipblasStatus_t get_heuristic(hipblasLtHandle_t handle, hipblasLtMatmulDesc_t desc,
                              hipblasLtMatrixLayout_t a, hipblasLtMatrixLayout_t b,
                              hipblasLtMatrixLayout_t c, hipblasLtMatrixLayout_t d,
                              hipblasLtMatmulPreference_t pref, int requested,
                              hipblasLtMatmulHeuristicResult_t results[], int* returned) {
  if (handle == nullptr) return HIPBLAS_STATUS_HANDLE_IS_NULLPTR;
  if (desc == nullptr || a == nullptr || b == nullptr || c == nullptr || d == nullptr ||
      pref == nullptr || results == nullptr || returned == nullptr || requested < 1) {
    return HIPBLAS_STATUS_INVALID_VALUE;
  }
  *returned = 0;
  Gemm gemm;
  const hipblasStatus_t described = describe(*desc, *a, *b, *c, *d, gemm);
  if (described != HIPBLAS_STATUS_SUCCESS) return described;
  const Profile& profile = machine().profile();
  sync::busy_for(profile.heuristic.value);
  const auto& specs = algos_of(profile, gemm.type);
  for (std::size_t i = 0; i < specs.size() && *returned < requested; ++i) {
    const std::uint64_t needed = workspace_bytes(specs[i].splits, gemm);
    if (!supports(profile, specs[i], gemm) || needed > pref->max_workspace_bytes) continue;
    hipblasLtMatmulHeuristicResult_t result{};
    result.algo = encode({kAlgoMagic, static_cast<std::int32_t>(i), specs[i].splits,
                          static_cast<std::int32_t>(data_type(gemm.type))},
                         pref->max_workspace_bytes);
    result.workspaceSize = needed;
    result.state = HIPBLAS_STATUS_SUCCESS;
    result.wavesCount = waves_of(profile, specs[i], gemm);
    results[(*returned)++] = result;
  }
  return HIPBLAS_STATUS_SUCCESS;
}

}  // namespace hiplab::driver::host
