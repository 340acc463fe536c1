// The tests that both profiles share. The software device is one per process, so each profile has
// an executable of its own, which says what provider() is before it includes this.
#pragma once

#include "workload.h"

namespace hiplab::lab {
namespace {

const driver::Provider& provider();

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

// The races are natural: on a busy machine one backend in some comes through, five do not.
template <typename Workload>
int exit_of_five(Workload workload) {
  int exit = kExact;
  for (int i = 0; i < 5 && exit == kExact; ++i) {
    exit = exit_of(*open(provider(), Form::filed), workload);
  }
  return exit;
}

TEST_F(WorkloadFiledDeathTest, FirstGemm) {
  EXPECT_EXIT(_exit(exit_of_five(first_gemm)), wrong_or_crashed, "");
}

TEST_F(WorkloadFiledDeathTest, GemmsFromManyThreads) {
  EXPECT_EXIT(_exit(exit_of_five(gemms_from_many_threads)), wrong_or_crashed, "");
}

}  // namespace
}  // namespace hiplab::lab
