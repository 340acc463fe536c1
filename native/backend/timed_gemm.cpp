#include "backend/timed_gemm.h"

#include <algorithm>

namespace hiplab::backend {

Tuned untimed(int index, const CandidateFacts& candidate) {
  Tuned row;
  row.index = index;
  row.workspace_bytes = candidate.workspace_bytes;
  row.waves = candidate.waves;
  row.solution = candidate.solution;
  row.name = candidate.name;
  return row;
}

hipblasStatus_t enqueue_timed(const Table& api, const TimedGemm& gemm, const Algorithm& algorithm,
                              void* workspace, std::size_t workspace_bytes,
                              const CommandStream& stream, Event& start, Event& stop) {
  const MatmulDescriptors& d = *gemm.descriptors;
  start.record(stream);
  const hipblasStatus_t status =
      api.hipblasLtMatmul(gemm.handle, d.desc.get(), &gemm.alpha, gemm.b, d.first.get(), gemm.a,
                          d.second.get(), &gemm.beta, gemm.result, d.c.get(), gemm.result,
                          d.d.get(), &algorithm.algo, workspace, workspace_bytes, stream.get());
  stop.record(stream);
  return status;
}

std::string failed_matmul(const Table& api, hipblasStatus_t status) {
  return "hipblasLtMatmul failed: " + status_name(api, status);
}

std::string no_workspace(std::size_t bytes) {
  return "no workspace of " + std::to_string(bytes) + " bytes could be had";
}

void fill_times(Tuned& row, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const std::size_t last = times.size() - 1;
  row.median_ms = times[times.size() / 2];
  row.lower_ms = times[last / 4];
  row.upper_ms = times[last - last / 4];
}

Tuned* fastest(std::vector<Tuned>& rows) {
  Tuned* best = nullptr;
  for (Tuned& row : rows) {
    if (row.median_ms && (best == nullptr || *row.median_ms < *best->median_ms)) best = &row;
  }
  return best;
}

void check_count(const char* name, int value, int most) {
  if (value >= 1 && value <= most) return;
  throw Error("tune: " + std::string(name) + " is " + std::to_string(value) +
              ", allowed are 1 to " + std::to_string(most));
}

void check_has_gemm(Device& device, ElementType type) {
  if (device.capabilities().get().has(type)) return;
  if (type == ElementType::f32) {
    // The library may well offer candidates; see gemm_router.h.
    throw Error(
        "tune: GEMMs of f32 take rocBLAS in this backend (mlxcel 2200), so that a tuned algorithm "
        "of hipBLASLt would never be used; allowed are bf16, f16 and, with transposes NT, f8");
  }
  throw Error("tune: hipBLASLt has no GEMM for " + std::string(element_name(type)) + " on device " +
              std::to_string(device.index()));
}

}  // namespace hiplab::backend
