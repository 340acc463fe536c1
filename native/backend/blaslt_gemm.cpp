#include "backend/blaslt_gemm.h"

#include <sstream>
#include <string>

#include "backend/device_guard.h"
#include "sync/access.h"
#include "sync/point.h"

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

std::optional<hipblasStatus_t> BlasLtGemm::matmul(const Target& target,
                                                  const MatmulDescriptors& descriptors,
                                                  const Algorithm& algorithm) {
  HIPLAB_READ(&algorithm, "pipe.algorithm");
  const std::size_t required = algorithm.workspace_bytes;
  HIPLAB_POINT("workspace.enter");
  hipblasStatus_t status = HIPBLAS_STATUS_SUCCESS;
  {
    const WorkspaceLease workspace = target.device.workspaces().acquire(target.stream, required);
    if (required > 0 && workspace.pointer() == nullptr) return std::nullopt;
    HIPLAB_POINT("workspace.acquired");
    const MatmulDescriptors& d = descriptors;
    const GemmCall& call = target.call;
    // matmul writes into the descriptor (mlxcel 2208).
    HIPLAB_WRITE(d.desc.get(), "pipe.descriptor");
    status = context_.api().hipblasLtMatmul(target.handle, d.desc.get(), &call.alpha, call.b,
                                            d.first.get(), call.a, d.second.get(), &call.beta,
                                            call.c, d.c.get(), call.c, d.d.get(), &algorithm.algo,
                                            workspace.pointer(), workspace.bytes(), target.stream);
    HIPLAB_POINT("pipe.matmul.done");
  }
  HIPLAB_POINT("workspace.leave");
  return status;
}

// An algorithm found for another shape of the same bucket need not fit this one: ask again for
// exactly this shape, and take the first candidate that runs.
hipblasStatus_t BlasLtGemm::retry(const Target& target, const MatmulDescriptors& descriptors,
                                  Algorithm& of_pipe, hipblasStatus_t first_failure) {
  hipblasStatus_t last_status = first_failure;
  for (const auto& candidate : query_heuristics(context_.api(), target.device.index(),
                                                target.handle, descriptors, kRetryCandidates)) {
    const Algorithm algorithm{candidate.algo, candidate.workspaceSize};
    const auto status = matmul(target, descriptors, algorithm);
    if (!status) continue;  // no memory for its workspace; another may need none
    last_status = *status;
    if (succeeded(last_status)) {
      target.device.algorithms().replace(target.call.shape, algorithm, of_pipe);
      break;
    }
  }
  return last_status;
}

std::unique_ptr<Pipe> BlasLtGemm::make_pipe(const Target& target) {
  const Table& api = context_.api();
  const int device = target.device.index();
  const GemmShape& shape = target.call.shape;
  AlgorithmCache& algorithms = target.device.algorithms();
  HIPLAB_POINT("pipe.create.begin");
  auto pipe = std::make_unique<Pipe>();
  pipe->descriptors = make_descriptors(api, device, shape);
  if (const auto known = algorithms.find(shape)) {
    pipe->algorithm = *known;
  } else {
    const auto found = query_heuristics(api, device, target.handle, pipe->descriptors, 1);
    if (found.empty()) throw Error("hipBLASLt has no algorithm for " + describe(shape));
    pipe->algorithm = {found[0].algo, found[0].workspaceSize};
    algorithms.store(shape, pipe->algorithm);
  }
  ++context_.counters.handles_pipes;
  HIPLAB_POINT("pipe.create.end");
  return pipe;
}

void BlasLtGemm::run(Device& device, hipStream_t stream, const GemmCall& call) {
  const Table& api = context_.api();
  if (!device.capabilities().get().has(call.shape.type)) {
    throw Error("hipBLASLt has no GEMM for " + std::string(element_name(call.shape.type)) +
                " on device " + std::to_string(device.index()));
  }
  const Target target{device, device.blaslt().get(), stream, call};
  const DeviceGuard current(api, device.index());
  const auto make = [&] { return make_pipe(target); };
  const auto use = [&](const MatmulDescriptors& descriptors, Algorithm& algorithm, bool fresh) {
    device.algorithms().refresh(call.shape, algorithm);
    const auto status = matmul(target, descriptors, algorithm);
    if (!status) {
      throw Error("hipBLASLt: failed to allocate workspace of " +
                  std::to_string(algorithm.workspace_bytes) + " bytes");
    }
    if (succeeded(*status) || !fresh) return *status;
    return retry(target, descriptors, algorithm, *status);
  };
  HIPLAB_POINT("pipe.enter");
  const hipblasStatus_t status = pipes_.run(PipeKey{device.index(), call.shape}, make, use);
  HIPLAB_POINT("pipe.leave");
  check(api, status, "hipblasLtMatmul", Where{device.index(), stream});
}

}  // namespace hiplab::backend
