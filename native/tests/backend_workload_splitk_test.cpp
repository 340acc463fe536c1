// The acceptance workloads on profile splitk.
#include "workload_cases.h"

namespace hiplab::lab {
namespace {

const driver::Provider& provider() { return host("splitk"); }

// Only the workspace is as filed, so that nothing but the shared scratch can be the cause.
TEST_F(WorkloadFiledDeathTest, OnlyTheWorkspaceIsShared) {
  EXPECT_EXIT(
      {
        forms::FormChoice choice;
        choice.set("workspace", Form::filed);
        Backend backend(provider(), forms::make_parts(choice));
        _exit(exit_of(backend, gemms_that_need_workspace));
      },
      ::testing::ExitedWithCode(kWrong), "");
}

}  // namespace
}  // namespace hiplab::lab
