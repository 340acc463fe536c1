// Forms of the workspace in captures and graphs (mlxcel 2200, and the class of pytorch 193402).
#include <map>

#include "forms_lab.h"

namespace hiplab::lab {
namespace {

constexpr GemmShape kShape{ElementType::bf16, false, true, 64, 64, 64, 1};

// What a capture on one stream became.
struct Captured {
  hipError_t end = hipErrorUnknown;
  hipGraph_t graph = nullptr;
  std::string error;  // of what was captured, if it threw
};

template <typename Body>
Captured capture(const driver::Table& api, const CommandStream& stream, Body body) {
  Captured out;
  EXPECT_EQ(api.hipStreamBeginCapture(stream.get(), hipStreamCaptureModeGlobal), hipSuccess);
  try {
    body();
  } catch (const Error& error) {
    out.error = error.what();
  }
  out.end = api.hipStreamEndCapture(stream.get(), &out.graph);
  return out;
}

class OwnedExec {
 public:
  OwnedExec(const driver::Table& api, hipGraph_t graph) : api_(api) {
    EXPECT_EQ(api.hipGraphInstantiate(&exec_, graph, nullptr, nullptr, 0), hipSuccess);
    EXPECT_EQ(api.hipGraphDestroy(graph), hipSuccess);
  }
  ~OwnedExec() { EXPECT_EQ(api_.hipGraphExecDestroy(exec_), hipSuccess); }
  OwnedExec(const OwnedExec&) = delete;
  OwnedExec& operator=(const OwnedExec&) = delete;
  void launch(const CommandStream& stream) {
    EXPECT_EQ(api_.hipGraphLaunch(exec_, stream.get()), hipSuccess);
  }

 private:
  const driver::Table& api_;
  hipGraphExec_t exec_ = nullptr;
};

class CaptureForms : public ::testing::TestWithParam<Form> {
 protected:
  const driver::Provider& provider_ = host("splitk");
  const std::unique_ptr<Backend> backend_ = open_with(provider_, "workspace", GetParam());
  const driver::Table& api_ = backend_->api();
};

// Handles are made, but no workspace yet, when a GEMM that needs one is captured. Fixed: hipBLASLt
// refuses it and says how many bytes it needs, rocBLAS takes it, and the capture ends well. As
// filed: hipMalloc, which ends the capture.
class CaptureWithoutWorkspace : public CaptureForms {};

TEST_P(CaptureWithoutWorkspace, FirstGemmOfTheStream) {
  const auto stream = backend_->stream(0);
  IntegerGemm gemm(*backend_, *stream, kShape, 1, 1);
  stream->synchronize();
  ASSERT_TRUE(backend_->device(0).rocblas().available());
  backend_->device(0).capabilities().get();
  ::testing::internal::CaptureStderr();
  const Captured captured = capture(api_, *stream, [&] { gemm.enqueue(); });
  const std::string told = ::testing::internal::GetCapturedStderr();
  const bool fixed = GetParam() == Form::fixed;
  EXPECT_EQ(told.find("hipBLASLt: algorithm needs 65536 bytes of workspace on a capturing stream "
                      "with none allocated") != std::string::npos,
            fixed)
      << told;
  if (!fixed) {
    EXPECT_EQ(captured.end, hipErrorStreamCaptureInvalidated);
    return;
  }
  ASSERT_EQ(captured.end, hipSuccess) << captured.error;
  OwnedExec exec(api_, captured.graph);
  exec.launch(*stream);
  EXPECT_EQ(gemm.wrong(), 0);
}

HIPLAB_BOTH_FORMS(CaptureWithoutWorkspace);

// The buffer is there. What a form does around the call decides whether it can be captured.
class CaptureWithWorkspace : public CaptureForms {};

TEST_P(CaptureWithWorkspace, GemmOfAWarmStream) {
  const auto stream = backend_->stream(0);
  IntegerGemm gemm(*backend_, *stream, kShape, 1, 1);
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
  gemm.poison();
  stream->synchronize();
  ::testing::internal::CaptureStderr();
  const Captured captured = capture(api_, *stream, [&] { gemm.enqueue(); });
  const std::string told = ::testing::internal::GetCapturedStderr();
  // Waiting for the stream, and for an event that was recorded outside, are illegal.
  const bool can = GetParam() != Form::lease_sync && GetParam() != Form::event_handoff;
  EXPECT_EQ(captured.end == hipSuccess, can) << told << captured.error;
  // A stream-ordered allocation is refused, so rocBLAS takes the GEMM.
  EXPECT_EQ(backend_->counters().at("route.hipblaslt") == 2,
            can ? GetParam() != Form::per_call : GetParam() == Form::lease_sync);
  if (captured.end != hipSuccess) return;
  OwnedExec exec(api_, captured.graph);
  for (int round = 0; round < 3; ++round) {
    gemm.poison();
    exec.launch(*stream);
    EXPECT_EQ(gemm.wrong(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Fixed, CaptureWithWorkspace, ::testing::Values(Form::fixed), form_name);
INSTANTIATE_TEST_SUITE_P(Other, CaptureWithWorkspace,
                         ::testing::Values(Form::filed, Form::lease_call, Form::lease_sync,
                                           Form::event_handoff, Form::thread_owned, Form::per_call),
                         form_name);

// Two graphs, captured on two streams by one thread, run at once. A graph keeps the workspace that
// it was captured with.
class GraphWorkspace : public CaptureForms {
 protected:
  int wrong_in_rounds(int rounds) {
    struct Arm {
      std::unique_ptr<CommandStream> stream;
      std::vector<std::unique_ptr<IntegerGemm>> gemms;
      std::unique_ptr<OwnedExec> exec;
    };
    std::vector<Arm> arms(2);
    for (unsigned i = 0; i < arms.size(); ++i) {
      Arm& arm = arms[i];
      arm.stream = backend_->stream(0);
      for (unsigned g = 0; g < 8; ++g) {
        arm.gemms.push_back(
            std::make_unique<IntegerGemm>(*backend_, *arm.stream, kShape, 1, 100 * i + g));
      }
      arm.gemms[0]->enqueue();  // the stream has its workspace
      arm.stream->synchronize();
      const Captured captured = capture(api_, *arm.stream, [&] {
        for (auto& gemm : arm.gemms) gemm->enqueue();
      });
      EXPECT_EQ(captured.end, hipSuccess) << captured.error;
      arm.exec = std::make_unique<OwnedExec>(api_, captured.graph);
    }
    int wrong = 0;
    for (int round = 0; round < rounds && wrong == 0; ++round) {
      Gate gate;
      for (Arm& arm : arms) {
        for (auto& gemm : arm.gemms) gemm->poison();
        gate.hold(arm.stream->get());
        arm.exec->launch(*arm.stream);
      }
      gate.open();
      for (Arm& arm : arms) {
        for (auto& gemm : arm.gemms) wrong += gemm->wrong() != 0;
      }
    }
    return wrong;
  }
};

TEST_P(GraphWorkspace, TwoGraphsAtOnce) {
  if (GetParam() == Form::fixed) {
    EXPECT_EQ(wrong_in_rounds(10), 0);
  } else {
    EXPECT_GT(wrong_in_rounds(100), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Fixed, GraphWorkspace, ::testing::Values(Form::fixed), form_name);
INSTANTIATE_TEST_SUITE_P(FiledAndOtherWrong, GraphWorkspace,
                         ::testing::Values(Form::filed, Form::lease_call, Form::thread_owned),
                         form_name);

}  // namespace
}  // namespace hiplab::lab
