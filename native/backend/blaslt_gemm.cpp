#include "backend/blaslt_gemm.h"

#include <sstream>
#include <string>

#include "backend/device_guard.h"

namespace hiplab::backend {
namespace {

constexpr int kRetryCandidates = 8;

std::string describe(const GemmShape& s) {
  std::ostringstream out;
  out << element_name(s.type) << " GEMM of m " << s.m << ", n " << s.n << ", k " << s.k
      << ", batch " << s.batch << (s.trans_a ? ", A transposed" : "")
      << (s.trans_b ? ", B transposed" : "");
  return out.str();
}

}  // namespace

hipblasStatus_t BlasLtGemm::matmul(Device& device, hipblasLtHandle_t handle, hipStream_t stream,
                                   const GemmCall& call, const Pipe& pipe,
                                   const Algorithm& algorithm) {
  const Workspace workspace = device.workspaces().acquire(stream, algorithm.workspace_bytes);
  if (algorithm.workspace_bytes > 0 && workspace.pointer == nullptr) {
    throw Error("hipBLASLt: failed to allocate workspace of " +
                std::to_string(algorithm.workspace_bytes) + " bytes");
  }
  const MatmulDescriptors& d = pipe.descriptors;
  return context_.api().hipblasLtMatmul(handle, d.desc.get(), &call.alpha, call.b, d.first.get(),
                                        call.a, d.second.get(), &call.beta, call.c, d.c.get(),
                                        call.c, d.d.get(), &algorithm.algo, workspace.pointer,
                                        workspace.bytes, stream);
}

// An algorithm found for another shape of the same bucket need not fit this one: ask again for
// exactly this shape, and take the first candidate that runs.
hipblasStatus_t BlasLtGemm::retry(Device& device, hipblasLtHandle_t handle, hipStream_t stream,
                                  const GemmCall& call, Pipe& pipe, hipblasStatus_t first_failure) {
  hipblasStatus_t status = first_failure;
  for (const auto& candidate : query_heuristics(context_.api(), device.index(), handle,
                                                pipe.descriptors, kRetryCandidates)) {
    const Algorithm algorithm{candidate.algo, candidate.workspaceSize};
    status = matmul(device, handle, stream, call, pipe, algorithm);
    if (succeeded(status)) {
      device.algorithms().replace(call.shape, algorithm, pipe);
      return status;
    }
  }
  return status;
}

void BlasLtGemm::run(Device& device, hipStream_t stream, const GemmCall& call) {
  const Table& api = context_.api();
  if (!device.capabilities().get().has(call.shape.type)) {
    throw Error("hipBLASLt has no GEMM for " + std::string(element_name(call.shape.type)) +
                " on device " + std::to_string(device.index()));
  }
  hipblasLtHandle_t handle = device.blaslt().get();
  const DeviceGuard current(api, device.index());
  const auto make = [&] {
    auto pipe = std::make_unique<Pipe>();
    pipe->descriptors = make_descriptors(api, device.index(), call.shape);
    if (const auto known = device.algorithms().find(call.shape)) {
      pipe->algorithm = *known;
    } else {
      const auto found = query_heuristics(api, device.index(), handle, pipe->descriptors, 1);
      if (found.empty()) throw Error("hipBLASLt has no algorithm for " + describe(call.shape));
      pipe->algorithm = {found[0].algo, found[0].workspaceSize};
      device.algorithms().store(call.shape, pipe->algorithm);
    }
    ++context_.counters.handles_pipes;
    return pipe;
  };
  const auto use = [&](Pipe& pipe, bool fresh) {
    device.algorithms().refresh(call.shape, pipe);
    const hipblasStatus_t status = matmul(device, handle, stream, call, pipe, pipe.algorithm);
    if (succeeded(status) || !fresh) return status;
    return retry(device, handle, stream, call, pipe, status);
  };
  check(api, pipes_.run(PipeKey{device.index(), call.shape}, make, use), "hipblasLtMatmul",
        Where{device.index(), stream});
}

}  // namespace hiplab::backend
