#include "backend/candidates.h"

#include <algorithm>
#include <mutex>

#include "backend/device_guard.h"
#include "driver/gemm_stream.h"

namespace hiplab::backend {
namespace {

GemmShape checked(const GemmShape& shape) {
  check_shape(shape);
  return shape;
}

}  // namespace

std::string without_blanks(std::string name) {
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return c <= ' '; }, '_');
  return name;
}

std::vector<CandidateFacts> facts_of(const driver::Provider& provider, hipblasLtHandle_t handle,
                                     const std::vector<hipblasLtMatmulHeuristicResult_t>& results) {
  const driver::Solutions& solutions = provider.solutions;
  std::vector<CandidateFacts> facts;
  facts.reserve(results.size());
  for (const auto& result : results) {
    facts.push_back({result.workspaceSize, result.wavesCount,
                     solutions.index ? solutions.index(result.algo) : -1,
                     solutions.name ? solutions.name(handle, result.algo) : ""});
  }
  return facts;
}

Candidates::Candidates(const Context& context, Device& device, const GemmShape& shape,
                       int requested, std::size_t cap)
    : context_(context),
      device_(device),
      shape_(checked(shape)),
      handle_(device.blaslt().get()),
      descriptors_(make_descriptors(context.api(), device.index(), shape)),
      results_(
          query_heuristics(context.api(), device.index(), handle_, descriptors_, requested, cap)),
      facts_(facts_of(context.provider, handle_, results_)) {}

void Candidates::gemm(const CommandStream& stream, const GemmCall& call, int index) {
  if (index < 0 || index >= static_cast<int>(results_.size())) {
    throw Error("candidate " + std::to_string(index) + " was asked for, allowed are " +
                (results_.empty() ? "none: the heuristic offered no candidate"
                                  : "0 to " + std::to_string(results_.size() - 1)));
  }
  if (!(call.shape == shape_)) {
    throw Error("these candidates are of another shape than the GEMM: ask for its own");
  }
  if (stream.device() != device_.index()) {
    throw Error("these candidates are of device " + std::to_string(device_.index()) +
                ", the stream of device " + std::to_string(stream.device()) +
                ": ask for candidates on its device");
  }
  const hipblasLtMatmulHeuristicResult_t& result = results_[static_cast<std::size_t>(index)];
  device_.tracker().on_launch(stream.get());
  // Held until the GEMM is enqueued: clearing frees the stream's workspace after that.
  const std::shared_ptr<Encoder> encoder = device_.encoders().get(stream.get());
  const driver::WantedStream wanted(stream.get());  // whoever watches the driver compares
  const DeviceGuard current(context_.api(), device_.index());
  const std::lock_guard lock(mutex_);
  const WorkspaceLease workspace = device_.workspaces().acquire(stream.get(), result.workspaceSize);
  if (result.workspaceSize > 0 && workspace.pointer() == nullptr) {
    throw Error("candidate " + std::to_string(index) + ": no workspace of " +
                std::to_string(result.workspaceSize) + " bytes could be had");
  }
  const MatmulDescriptors& d = descriptors_;
  HIPLAB_CHECK(context_.api(), (Where{device_.index(), stream.get()}), hipblasLtMatmul, handle_,
               d.desc.get(), &call.alpha, call.b, d.first.get(), call.a, d.second.get(), &call.beta,
               call.c, d.c.get(), call.c, d.d.get(), &result.algo, workspace.pointer(),
               workspace.bytes(), stream.get());
}

}  // namespace hiplab::backend
