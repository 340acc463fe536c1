// Every driver call of a workload fails once, with every status that it may return; and the device
// is lost from every call on.
#include "fault_workloads.h"

namespace hiplab::sweep {
namespace {

using lab::Form;

template <typename W, typename... Arguments>
Subject subject_of(std::string name, Form form, Arguments... arguments) {
  Subject subject;
  subject.name = std::move(name);
  subject.current_device = form == Form::fixed ? 0 : kDevice;
  subject.make = [current = subject.current_device, arguments...](Backend& backend) {
    return std::make_unique<W>(backend, current, arguments...);
  };
  subject.parts = [form] {
    forms::FormChoice choice;
    choice.set_all(form);
    return forms::make_parts(choice);
  };
  subject.sentences = {"hipBLASLt: failed to allocate workspace of",
                       "hipBLASLt has no algorithm for",
                       "hipBLASLt has no GEMM for",
                       "hipBLASLt is not available on device",
                       "rocBLAS is not available on device",
                       "candidates could be measured"};
  return subject;
}

// On profile splitk, f32 needs no workspace; bf16 does where K is long enough to be split by four.
constexpr GemmShape kF32{ElementType::f32, false, false, 16, 16, 32, 1};
constexpr GemmShape kBf16{ElementType::bf16, false, true, 16, 16, 16, 1};
constexpr GemmShape kSplitK{ElementType::bf16, false, true, 16, 16, 64, 1};

// As filed, one is allocated whatever the algorithm asks for.
int workspaces(Form form, int count) { return form == Form::fixed ? count : -1; }

Subject f32(Form form) { return subject_of<TwoGemms>("first GEMM, f32", form, kF32, 0); }
Subject bf16(Form form) {
  return subject_of<TwoGemms>("first GEMM, bf16", form, kBf16, workspaces(form, 0));
}
Subject split_k(Form form) {
  return subject_of<TwoGemms>("GEMM with workspace", form, kSplitK, workspaces(form, 1));
}
Subject replay(Form form) {
  return subject_of<CaptureAndReplay>("capture and replay", form, kSplitK);
}
Subject tune(Form form) { return subject_of<Tune>("tune", form, kSplitK); }
Subject bounded_tune(Form form) {
  Subject subject = subject_of<BoundedTuning>("bounded tune", form, kSplitK);
  subject.abandons = true;
  return subject;
}
Subject launch(Form form) { return subject_of<FirstLaunch>("JIT launch", form); }

struct Named {
  const char* name;
  Subject (*subject)(Form);
};
void PrintTo(const Named& named, std::ostream* out) { *out << named.name; }
std::string name_of(const ::testing::TestParamInfo<Named>& info) { return info.param.name; }

constexpr Named kAll[] = {
    {"FirstGemmF32", f32},        {"FirstGemmBf16", bf16}, {"GemmWithWorkspace", split_k},
    {"CaptureAndReplay", replay}, {"Tune", tune},          {"BoundedTune", bounded_tune},
    {"JitLaunch", launch}};

class FaultSweepFixed : public ::testing::TestWithParam<Named> {
 protected:
  static void expect_no_complaint(const Tally& tally) {
    EXPECT_TRUE(tally.complaints.empty()) << listed(tally.complaints);
    EXPECT_GT(tally.calls, 10);
    // Sanitized, a lost device is looked at from every third call on.
    const std::int64_t least = kSanitized ? tally.calls / 3 : tally.calls;
    EXPECT_GE(tally.faults, tally.counts_vary ? least / 2 : least);
    EXPECT_GT(tally.exceptions, 0);
  }
};

TEST_P(FaultSweepFixed, EachCallFailsOnceWithEachStatus) {
  ::testing::internal::CaptureStderr();  // one warning a fault
  const Tally tally = Sweep(GetParam().subject(Form::fixed)).each_call();
  ::testing::internal::GetCapturedStderr();
  expect_no_complaint(tally);
  EXPECT_GT(tally.right, 0);
}

TEST_P(FaultSweepFixed, TheDeviceIsLostFromEachCallOn) {
  ::testing::internal::CaptureStderr();
  const Tally tally = Sweep(GetParam().subject(Form::fixed)).lost_device();
  ::testing::internal::GetCapturedStderr();
  expect_no_complaint(tally);
}

INSTANTIATE_TEST_SUITE_P(Every, FaultSweepFixed, ::testing::ValuesIn(kAll), name_of);

// As filed, a create that fails leaves a null handle, statuses are discarded, a throw loses the
// capability table: wrong results without an exception, or worse. In a process of their own.
class FaultSweepFiledDeathTest : public ::testing::Test {
 protected:
  FaultSweepFiledDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

int exit_of(const Subject& subject) {
  const Tally tally = Sweep(subject).each_call();
  std::cout << listed(tally.complaints) << std::flush;
  return tally.complaints.empty() ? 0 : 1;
}

bool complained_or_crashed(int status) {
  return WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

TEST_F(FaultSweepFiledDeathTest, FirstGemmF32) {
  EXPECT_EXIT(_exit(exit_of(f32(Form::filed))), complained_or_crashed, "");
}

TEST_F(FaultSweepFiledDeathTest, FirstGemmBf16) {
  EXPECT_EXIT(_exit(exit_of(bf16(Form::filed))), complained_or_crashed, "");
}

}  // namespace
}  // namespace hiplab::sweep
