// hipblasLtMatmul on the software device.
#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "driver/host/blaslt.h"
#include "driver/host/machine.h"
#include "driver/host/openblas.h"
#include "driver/host/submit.h"
#include "driver/host/tables.h"
#include "sync/time.h"

namespace hiplab::driver::host {
namespace {

// What a launch needs: the GEMM, and the workspace that holds partial sums when K is split.
struct Launch {
  Gemm gemm;
  float* workspace = nullptr;
  std::int64_t splits = 1;
};
constexpr std::size_t kLaunchWords = (sizeof(Launch) + sizeof(Word) - 1) / sizeof(Word);

// The launch as words for the descriptor. The buffer is new in every call and its length differs
// from call to call, as the heap sees it with the real library; the words behind the launch are
// padding.
std::vector<Word> pack(const Launch& launch) {
  thread_local unsigned calls = 0;
  std::vector<Word> words(kLaunchWords + (calls++ % 8) * 16);
  std::memcpy(words.data(), &launch, sizeof launch);
  return words;
}

Launch unpack(const std::vector<Word>& words) {
  Launch launch;
  std::memcpy(static_cast<void*>(&launch), words.data(), sizeof launch);
  return launch;
}

// The device is done with one kernel and has not begun the stream's next: time for other streams.
// The thread sleeps, as a GPU runs many streams at once and this machine has few cores.
void kernel_gap() { sync::sleep_for(machine().profile().kernel_gap.value); }

// Steps of the launch, in stream order. Split-K's partial sums live in the caller's workspace from
// the first step to the last: whoever else writes there meanwhile changes the result.
hipError_t enqueue(hipStream_t stream, int device, const Launch& launch) {
  if (launch.splits == 1) {
    return submit(stream, device, [gemm = launch.gemm] { compute(gemm); });
  }
  const int splits = static_cast<int>(launch.splits);
  // Shared by the steps: Gemm is too large to copy into each.
  const auto gemm = std::make_shared<const Gemm>(launch.gemm);
  float* partials = launch.workspace;
  for (int split = 0; split < splits; ++split) {
    const hipError_t queued = submit(stream, device, [=] {
      if (split > 0) kernel_gap();
      compute_partial(*gemm, splits, split, partials);
    });
    if (queued != hipSuccess) return queued;
  }
  return submit(stream, device, [=] {
    kernel_gap();
    reduce_partials(*gemm, splits, partials);
  });
}

bool on_device(const void* ptr, std::size_t bytes, int device) {
  return machine().memory().device_of(ptr, bytes) == device;
}

// The real library trusts its pointers and the GPU faults; here the registry knows better.
bool operands_valid(const Gemm& g, int device) {
  return on_device(g.a, extent_bytes(g.type, g.rows_a(), g.cols_a(), g.lda, g.batch, g.stride_a),
                   device) &&
         on_device(g.b, extent_bytes(g.type, g.rows_b(), g.cols_b(), g.ldb, g.batch, g.stride_b),
                   device) &&
         (g.beta == 0.0f ||
          on_device(g.c, extent_bytes(g.result(), g.m, g.n, g.ldc, g.batch, g.stride_c), device)) &&
         on_device(g.d, extent_bytes(g.result(), g.m, g.n, g.ldd, g.batch, g.stride_d), device);
}

// Without an algorithm the library takes the first of its own that the workspace allows.
int default_splits(const Profile& profile, const Gemm& gemm, std::size_t workspace_size) {
  for (const AlgoSpec& spec : algos_of(profile, gemm.type)) {
    if (supports(profile, spec, gemm) && workspace_bytes(spec.splits, gemm) <= workspace_size) {
      return spec.splits;
    }
  }
  return 0;
}

hipblasStatus_t matmul(hipblasLtHandle_t handle, hipblasLtMatmulDesc_t desc, const void* alpha,
                       const void* a, hipblasLtMatrixLayout_t a_layout, const void* b,
                       hipblasLtMatrixLayout_t b_layout, const void* beta, const void* c,
                       hipblasLtMatrixLayout_t c_layout, void* d, hipblasLtMatrixLayout_t d_layout,
                       const hipblasLtMatmulAlgo_t* algo, void* workspace, size_t workspace_size,
                       hipStream_t stream) {
  if (handle == nullptr) return HIPBLAS_STATUS_HANDLE_IS_NULLPTR;
  if (desc == nullptr || alpha == nullptr || beta == nullptr || a_layout == nullptr ||
      b_layout == nullptr || c_layout == nullptr || d_layout == nullptr) {
    return HIPBLAS_STATUS_INVALID_VALUE;
  }
  Launch launch;
  const hipblasStatus_t described =
      describe(*desc, *a_layout, *b_layout, *c_layout, *d_layout, launch.gemm);
  if (described != HIPBLAS_STATUS_SUCCESS) return described;
  launch.gemm.alpha = *static_cast<const float*>(alpha);
  launch.gemm.beta = *static_cast<const float*>(beta);
  launch.gemm.a = a, launch.gemm.b = b, launch.gemm.c = c, launch.gemm.d = d;
  const int device = static_cast<BlasltHandle*>(handle)->device;
  if (!operands_valid(launch.gemm, device)) return HIPBLAS_STATUS_INVALID_VALUE;

  const Profile& profile = machine().profile();
  launch.gemm.adds_ieee = profile.adds_ieee.value;
  if (workspace == nullptr) workspace_size = 0;
  launch.splits = algo != nullptr ? splits_of(profile, *algo, launch.gemm)
                                  : default_splits(profile, launch.gemm, workspace_size);
  const std::uint64_t needed = workspace_bytes(static_cast<int>(launch.splits), launch.gemm);
  if (launch.splits == 0 || needed > workspace_size) return HIPBLAS_STATUS_INVALID_VALUE;
  // Only the start is looked at: the size is the caller's word, as in the real library, where a
  // size larger than the block means writes past its end (mlxcel 2200, init interleaving).
  if (needed > 0 && !on_device(workspace, 1, device)) return HIPBLAS_STATUS_INVALID_VALUE;
  launch.workspace = static_cast<float*>(workspace);

  if (!OpenBlas::ready()) return HIPBLAS_STATUS_INTERNAL_ERROR;

  // Host work of a call, with the descriptor written in its middle and read back at its end.
  const auto half = profile.gemm_enqueue.value / 2;
  sync::busy_for(half);
  desc->problem = pack(launch);
  sync::busy_for(half);
  const Launch prepared = unpack(desc->problem);

  switch (enqueue(stream, device, prepared)) {
    case hipSuccess:
      return HIPBLAS_STATUS_SUCCESS;
    case hipErrorInvalidHandle:
      return HIPBLAS_STATUS_INVALID_VALUE;
    case hipErrorOutOfMemory:
      return HIPBLAS_STATUS_ALLOC_FAILED;
    default:
      return HIPBLAS_STATUS_EXECUTION_FAILED;
  }
}

}  // namespace

void fill_blaslt_gemm(Table& t) {
  t.hipblasLtMatmulAlgoGetHeuristic = get_heuristic;
  t.hipblasLtMatmul = matmul;
}

}  // namespace hiplab::driver::host
