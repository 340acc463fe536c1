// hipBLASLt's objects on the software device: plain objects behind plain pointers, as in the real
// library, which neither locks them nor knows a destroyed one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/host/gemm.h"
#include "driver/host/profile.h"
#include "driver/rocm_types.h"

namespace hiplab::driver::host {

struct BlasltHandle {
  int device = 0;
};

// One 64-bit word of a problem as matmul hands it to the launch.
using Word = std::uint64_t;

}  // namespace hiplab::driver::host

namespace hiplab::rocm {

struct hipblasLtMatmulDescOpaque_t {
  hipblasComputeType_t compute = HIPBLAS_COMPUTE_32F;
  hipDataType scale = HIP_R_32F;
  hipblasOperation_t trans_a = HIPBLAS_OP_N;
  hipblasOperation_t trans_b = HIPBLAS_OP_N;
  // The problem that matmul prepared last. hipblasLtMatmul writes it in every call and reads it
  // back for the launch, so a descriptor serves one thread at a time (measured on gfx1151, mlxcel
  // 2208: a pipe shared by 8 threads, whatever owns it, 0 of 5 children pass).
  std::vector<driver::host::Word> problem;
};

struct hipblasLtMatrixLayoutOpaque_t {
  hipDataType type = HIP_R_32F;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t ld = 0;
  std::int64_t batch = 1;
  std::int64_t stride = 0;  // elements
};

struct hipblasLtMatmulPreferenceOpaque_t {
  std::uint64_t max_workspace_bytes = 0;
};

}  // namespace hiplab::rocm

namespace hiplab::driver::host {

// What an algorithm's data[16] holds.
struct AlgoCode {
  std::uint32_t magic;
  std::int32_t index;   // place in the profile's list
  std::int32_t splits;  // 1: no workspace
  std::int32_t type;    // hipDataType of the problems it is for
};

inline constexpr std::uint32_t kAlgoMagic = 0x31544c48;  // "HLT1"

// The problem of a descriptor and its layouts, without pointers or scalars. HIPBLAS_STATUS_SUCCESS,
// or what is wrong with them.
rocm::hipblasStatus_t describe(const rocm::hipblasLtMatmulDescOpaque_t& desc,
                               const rocm::hipblasLtMatrixLayoutOpaque_t& a,
                               const rocm::hipblasLtMatrixLayoutOpaque_t& b,
                               const rocm::hipblasLtMatrixLayoutOpaque_t& c,
                               const rocm::hipblasLtMatrixLayoutOpaque_t& d, Gemm& gemm);

rocm::hipDataType data_type(ElementType type);
const std::vector<AlgoSpec>& algos_of(const Profile& profile, ElementType type);

// Whether an algorithm with that many parts of K can compute the problem, and what it needs.
bool supports(const Profile& profile, const AlgoSpec& spec, const Gemm& gemm);
std::uint64_t workspace_bytes(int splits, const Gemm& gemm);

rocm::hipblasLtMatmulAlgo_t encode(const AlgoCode& code, std::uint64_t max_workspace_bytes);
AlgoCode decode(const rocm::hipblasLtMatmulAlgo_t& algo);

// The number of parts of K when the algorithm is one of the profile's and fits the problem; else 0.
int splits_of(const Profile& profile, const rocm::hipblasLtMatmulAlgo_t& algo, const Gemm& gemm);

// What the software device calls an algorithm that its heuristic gave: its place in the profile's
// list, and a name of its element type, tile and parts of K, such as bf16_MT64x64_SK4. -1 and empty
// for anything else.
int solution_index(const rocm::hipblasLtMatmulAlgo_t& algo);
std::string solution_name(rocm::hipblasLtHandle_t handle, const rocm::hipblasLtMatmulAlgo_t& algo);

rocm::hipblasStatus_t get_heuristic(
    rocm::hipblasLtHandle_t handle, rocm::hipblasLtMatmulDesc_t desc,
    rocm::hipblasLtMatrixLayout_t a, rocm::hipblasLtMatrixLayout_t b,
    rocm::hipblasLtMatrixLayout_t c, rocm::hipblasLtMatrixLayout_t d,
    rocm::hipblasLtMatmulPreference_t pref, int requested,
    rocm::hipblasLtMatmulHeuristicResult_t results[], int* returned);

}  // namespace hiplab::driver::host
