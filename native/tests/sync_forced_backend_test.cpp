// Orders forced on a whole backend: the filed form lets them happen and fails, the fixed form
// excludes them, and the report names the lock (mlxcel 2198).
#include <string>
#include <vector>

#include "lab.h"
#include "sync/forced_run.h"
#include "sync/thread.h"

namespace hiplab::lab {
namespace {

using Status = sync::OrderResult::Status;

struct Ran {
  bool b_failed = false;
  std::vector<sync::OrderResult> results;
  std::string report;
};

// Two first f32 GEMMs. B is sent in while A is about to create the handle, and A is to wait there
// until B is done.
Ran first_gemms(Form form, const std::string& schedule) {
  forms::FormChoice choice;
  choice.set("rocblas-handle", form);
  Backend backend(host("splitk"), forms::make_parts(choice));
  const auto stream_a = backend.stream(0);
  const auto stream_b = backend.stream(0);
  const GemmShape shape{ElementType::f32, false, false, 64, 64, 128, 1};
  IntegerGemm gemm_a(backend, *stream_a, shape, 4, 1);
  IntegerGemm gemm_b(backend, *stream_b, shape, 4, 2);
  Ran ran;
  sync::ForcedRun run(sync::Schedule::parse(schedule));
  sync::Thread a("A", [&] { gemm_a.enqueue(); });
  sync::Thread b("B", [&] {
    HIPLAB_POINT("test.b.begin");
    try {
      gemm_b.enqueue();
    } catch (const Error&) {
      ran.b_failed = true;
    }
    HIPLAB_POINT("test.b.end");
  });
  a.join();
  b.join();
  run.finish();
  EXPECT_EQ(gemm_a.wrong(), 0);
  ran.b_failed = ran.b_failed || gemm_b.wrong() != 0;
  ran.results = run.results();
  ran.report = run.report();
  return ran;
}

constexpr char kCreate[] =
    "order A:rocblas.create.begin arrived -> B:test.b.begin\n"
    "order B:test.b.end -> A:rocblas.create.begin\n"
    "bound 600s\n";

// Only the filed form has this window.
constexpr char kFlag[] =
    "order A:rocblas.init.flag-set arrived -> B:test.b.begin\n"
    "order B:test.b.end -> A:rocblas.init.flag-set\n"
    "bound 600s\n";

TEST(ForcedBackendFixed, CreationIsExcludedByTheHandlesLock) {
  const Ran ran = first_gemms(Form::fixed, kCreate);
  EXPECT_FALSE(ran.b_failed);
  EXPECT_EQ(ran.results[0].status, Status::held) << ran.report;
  EXPECT_EQ(ran.results[1].status, Status::excluded) << ran.report;
  EXPECT_TRUE(ran.results[1].proved);
  EXPECT_EQ(ran.results[1].detail, "B waits for lock \"rocBLAS handle\", held by A");
}

TEST(ForcedBackendFixed, WindowThatTheFormDoesNotHaveIsNotReached) {
  const Ran ran = first_gemms(Form::fixed, kFlag);
  EXPECT_FALSE(ran.b_failed);
  for (const auto& result : ran.results) EXPECT_EQ(result.status, Status::not_reached);
}

class ForcedBackendFiled : public ::testing::TestWithParam<const char*> {};

TEST_P(ForcedBackendFiled, OrderHoldsAndTheGemmFails) {
  const Ran ran = first_gemms(Form::filed, GetParam());
  EXPECT_TRUE(ran.b_failed);
  for (const auto& result : ran.results) EXPECT_EQ(result.status, Status::held) << ran.report;
}

INSTANTIATE_TEST_SUITE_P(Windows, ForcedBackendFiled, ::testing::Values(kCreate, kFlag));

}  // namespace
}  // namespace hiplab::lab
