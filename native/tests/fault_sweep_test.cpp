// Every driver call of a workload fails once, with every status that it may return.
#include "fault_sweep.h"

namespace hiplab::sweep {
namespace {

using lab::ElementType;
using lab::Form;
using lab::GemmShape;
using lab::IntegerGemm;

// The first GEMM on a fresh backend, with its stream and buffers.
class FirstGemm : public Workload {
 public:
  FirstGemm(Backend& backend, GemmShape shape, int current_device)
      : backend_(backend), shape_(shape), current_device_(current_device) {}

  bool run() override {
    if (!stream_) stream_ = backend_.stream(kDevice);
    make_current(current_device_);
    if (!gemm_) gemm_ = std::make_unique<IntegerGemm>(backend_, *stream_, shape_, 1, 7);
    gemm_->poison();
    before_ = backend_.counters();
    gemm_->enqueue();
    return gemm_->wrong() == 0;
  }

  std::string settled(const FaultReport& fault) override {
    // A hipBLASLt handle that could not be made is given up for good (mlxcel 2200), and "not
    // supported" is an answer of the heuristic: that type has no GEMM on this device.
    const bool lost = fault.function == "hipblasLtCreate";
    const bool unsupported = fault.function == "hipblasLtMatmulAlgoGetHeuristic" &&
                             fault.status == HIPBLAS_STATUS_NOT_SUPPORTED;
    if (unsupported && shape_.type != ElementType::f32) return {};
    const std::string want =
        shape_.type == ElementType::f32 || lost ? "route.rocblas" : "route.hipblaslt";
    const auto after = backend_.counters();
    if (after.at(want) != before_.at(want) + 1) return "the GEMM did not take " + want;
    if (after.at("handles.rocblas") != 1) return "there is not one rocBLAS handle";
    if (after.at("handles.hipblaslt") > 1) return "there is more than one hipBLASLt handle";
    if (want == "route.hipblaslt") {
      const auto caps = backend_.device(kDevice).capabilities().get();
      if (!caps.bf16 || !caps.f16) return "the capability table has lost a type for good";
    }
    return {};
  }

 private:
  Backend& backend_;
  const GemmShape shape_;
  const int current_device_;
  std::unique_ptr<backend::CommandStream> stream_;
  std::unique_ptr<IntegerGemm> gemm_;
  std::map<std::string, std::int64_t> before_;
};

Subject gemm_subject(std::string name, GemmShape shape, Form form) {
  Subject subject;
  subject.name = std::move(name);
  subject.current_device = form == Form::fixed ? 0 : kDevice;
  subject.make = [shape, current = subject.current_device](Backend& backend) {
    return std::make_unique<FirstGemm>(backend, shape, current);
  };
  subject.parts = [form] {
    forms::FormChoice choice;
    choice.set_all(form);
    return forms::make_parts(choice);
  };
  subject.sentences = {"hipBLASLt: failed to allocate workspace of", "hipBLASLt has no algorithm",
                       "hipBLASLt is not available", "rocBLAS is not available"};
  return subject;
}

// On profile splitk, f32 needs no workspace and bf16 does (split-K).
constexpr GemmShape kF32{ElementType::f32, false, false, 16, 16, 32, 1};
constexpr GemmShape kBf16{ElementType::bf16, false, true, 16, 16, 32, 1};

template <typename Which>
void expect_no_complaint(const Subject& subject, Which which) {
  ::testing::internal::CaptureStderr();  // one warning a fault
  Sweep sweep(subject);
  const Tally tally = (sweep.*which)();
  ::testing::internal::GetCapturedStderr();
  EXPECT_TRUE(tally.complaints.empty()) << listed(tally.complaints);
  EXPECT_GT(tally.calls, 10);
  EXPECT_GE(tally.faults, kSanitized ? tally.calls / 3 : tally.calls);
  EXPECT_GT(tally.exceptions, 0);
}

TEST(FaultSweepFixed, FirstGemmF32) {
  const Subject subject = gemm_subject("first GEMM, f32", kF32, Form::fixed);
  expect_no_complaint(subject, &Sweep::each_call);
  expect_no_complaint(subject, &Sweep::lost_device);
}

TEST(FaultSweepFixed, FirstGemmBf16) {
  const Subject subject = gemm_subject("first GEMM, bf16 with workspace", kBf16, Form::fixed);
  expect_no_complaint(subject, &Sweep::each_call);
  expect_no_complaint(subject, &Sweep::lost_device);
}

// As filed, a create that fails leaves a null handle, statuses are discarded, a throw loses the
// capability table: wrong results without an exception, or worse. In a process of their own.
class FaultSweepFiledDeathTest : public ::testing::Test {
 protected:
  FaultSweepFiledDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

int exit_of(const Subject& subject) {
  device();
  Sweep sweep(subject);
  const Tally tally = sweep.each_call();
  std::cout << listed(tally.complaints) << std::flush;
  return tally.complaints.empty() ? 0 : 1;
}

bool complained_or_crashed(int status) {
  return WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

TEST_F(FaultSweepFiledDeathTest, FirstGemmF32) {
  EXPECT_EXIT(_exit(exit_of(gemm_subject("first GEMM, f32", kF32, Form::filed))),
              complained_or_crashed, "");
}

TEST_F(FaultSweepFiledDeathTest, FirstGemmBf16) {
  EXPECT_EXIT(_exit(exit_of(gemm_subject("first GEMM, bf16", kBf16, Form::filed))),
              complained_or_crashed, "");
}

}  // namespace
}  // namespace hiplab::sweep
