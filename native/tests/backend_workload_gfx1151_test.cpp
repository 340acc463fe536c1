// The acceptance workloads on profile gfx1151.
#include "workload.h"

namespace hiplab::lab {
namespace {

const driver::Provider& provider() { return host("gfx1151"); }

TEST(WorkloadFixed, FirstGemm) {
  const auto backend = open(provider(), Form::fixed);
  Wrong wrong;
  first_gemm(*backend, wrong);
  EXPECT_EQ(wrong.all(), 0);
  EXPECT_EQ(backend->counters().at("handles.rocblas"), 1);
  EXPECT_EQ(backend->counters().at("route.rocblas"), kThreads * kRounds);
}

TEST(WorkloadFixed, GemmsFromManyThreads) {
  ::testing::internal::CaptureStderr();
  const auto backend = open(provider(), Form::fixed);
  Wrong wrong;
  gemms_from_many_threads(*backend, wrong);
  const std::string told = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(wrong.all(), 0);
  EXPECT_EQ(told.find("[hipBLASLt caps] device"), told.rfind("[hipBLASLt caps] device")) << told;
  EXPECT_NE(told.find("[hipBLASLt caps] device 0: bf16 1 f16 1"), std::string::npos) << told;
  const auto counters = backend->counters();
  EXPECT_EQ(counters.at("handles.hipblaslt"), 1);
  EXPECT_EQ(counters.at("handles.rocblas"), 1);
  EXPECT_EQ(counters.at("route.hipblaslt"), 2 * kThreads * kRounds);
  EXPECT_EQ(counters.at("route.rocblas"), kThreads * kRounds);
  EXPECT_EQ(counters.at("route.unavailable"), 0);
}

TEST(WorkloadFixed, GemmsThatNeedWorkspace) {
  const auto backend = open(provider(), Form::fixed);
  Wrong wrong;
  gemms_that_need_workspace(*backend, wrong);
  EXPECT_EQ(wrong.all(), 0);
  EXPECT_EQ(backend->counters().at("route.hipblaslt"), kThreads * kRounds);
}

// Each in a fresh process ("threadsafe" runs the executable again): a filed form may crash.
class WorkloadFiledDeathTest : public ::testing::Test {
 protected:
  WorkloadFiledDeathTest() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    provider();  // here, so that a missing library is not taken for a failing form
  }
};

TEST_F(WorkloadFiledDeathTest, FirstGemm) {
  EXPECT_EXIT(_exit(exit_of(*open(provider(), Form::filed), first_gemm)), wrong_or_crashed, "");
}

TEST_F(WorkloadFiledDeathTest, GemmsFromManyThreads) {
  EXPECT_EXIT(_exit(exit_of(*open(provider(), Form::filed), gemms_from_many_threads)),
              wrong_or_crashed, "");
}

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
