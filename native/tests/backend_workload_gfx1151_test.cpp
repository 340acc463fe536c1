// The acceptance workloads on profile gfx1151.
#include "workload_cases.h"

namespace hiplab::lab {
namespace {

const driver::Provider& provider() { return host("gfx1151"); }

// The precondition of the workspace races is absent on this device: no candidate asks for scratch,
// so sharing it is never seen. This is why the finding is "not applicable" there, and not a pass.
TEST(WorkloadFixed, NoCandidateAsksForWorkspace) {
  const auto backend = open(provider(), Form::fixed);
  const GemmShape shape{ElementType::bf16, false, true, 64, 64, 64, 1};
  const auto candidates = backend->heuristics(0, shape, 8, backend::kMaxWorkspaceBytes);
  ASSERT_FALSE(candidates.empty());
  for (const auto& candidate : candidates) EXPECT_EQ(candidate.workspaceSize, 0u);
}

}  // namespace
}  // namespace hiplab::lab
