// GEMMs of f8 (E4M3) inputs: bf16 results, f32 sums, through hipBLASLt or not at all (mlxcel 2200,
// the fp8 route).
#include "lab.h"

namespace hiplab::lab {
namespace {

constexpr GemmShape kShape{ElementType::f8, false, true, 64, 48, 64, 1};

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class Fp8Forms : public ::testing::TestWithParam<Form> {
 protected:
  const driver::Provider& provider_ = host("splitk");
};

// A is creating the hipBLASLt handle when B, who comes by another way, probes the capabilities. As
// filed the throw leaves all of them false, and the fp8 route is lost for the process.
TEST_P(Fp8Forms, RouteAfterAProbeInTheInitWindow) {
  const auto backend = open(provider_, GetParam());
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, kShape, 2, 1);
  backend::Device& device = backend->device(0);
  HoldAt hold("blaslt.create.begin");
  auto first = std::async(std::launch::async, [&] { return device.blaslt().available(); });
  hold.wait_until_held();
  auto second = std::async(std::launch::async,
                           [&] { return error_of([&] { device.capabilities().get(); }); });
  let_second_thread_go(second, GetParam());
  hold.release();
  EXPECT_TRUE(first.get());
  EXPECT_EQ(second.get() == "no error", GetParam() == Form::fixed);
  const std::string later = error_of([&] { gemm.enqueue(); });
  if (GetParam() == Form::fixed) {
    EXPECT_EQ(later, "no error");
    EXPECT_EQ(gemm.wrong(), 0);
  } else {
    EXPECT_NE(later, "no error");
    EXPECT_TRUE(gemm.untouched());
  }
  EXPECT_EQ(backend->counters().at("route.hipblaslt"), GetParam() == Form::fixed ? 1 : 0);
}

HIPLAB_BOTH_FORMS(Fp8Forms);

class Fp8Fixed : public ::testing::Test {
 protected:
  Fp8Fixed() : backend_(open(host("splitk"), Form::fixed)), stream_(backend_->stream(0)) {}

  std::unique_ptr<Backend> backend_;
  std::unique_ptr<CommandStream> stream_;
};

TEST_F(Fp8Fixed, ExactWithAndWithoutSplitsAndBatched) {
  unsigned seed = 1;
  for (const std::int64_t k : {7, 16, 64, 200}) {
    for (const std::int64_t batch : {1, 3}) {
      // Sums of at most 200 are integers that bf16 holds exactly (up to 256).
      IntegerGemm gemm(*backend_, *stream_, {ElementType::f8, false, true, 17, 9, k, batch}, 1,
                       ++seed);
      gemm.enqueue();
      EXPECT_EQ(gemm.wrong(), 0) << "k " << k << " batch " << batch;
    }
  }
  EXPECT_EQ(backend_->counters().at("route.hipblaslt"), 8);
  EXPECT_EQ(backend_->counters().at("route.rocblas"), 0);
  EXPECT_EQ(backend_->counters().at("handles.rocblas"), 0) << "the route needs no rocBLAS";
}

TEST_F(Fp8Fixed, AlphaAndBeta) {
  IntegerGemm gemm(*backend_, *stream_, {ElementType::f8, false, true, 16, 24, 8, 1}, 2, 5);
  gemm.enqueue();             // C = AB
  gemm.enqueue(2.0f, -1.0f);  // C = 2AB - C = AB
  EXPECT_EQ(gemm.wrong(), 0);
  gemm.enqueue(1.0f, 1.0f);  // C = 2AB
  EXPECT_EQ(gemm.wrong(2.0f), 0);
}

TEST_F(Fp8Fixed, EightThreads) {
  on_threads(8, [&](int t) {
    const auto stream = backend_->stream(0);
    IntegerGemm gemm(*backend_, *stream, kShape, 1, t);
    for (int round = 0; round < 4; ++round) {
      gemm.poison();
      gemm.enqueue();
      EXPECT_EQ(gemm.wrong(), 0);
    }
  });
}

TEST_F(Fp8Fixed, OtherLayoutsAreRefused) {
  const auto block = backend_->memory(0, 4096);
  for (const auto& [a, b] : {std::pair{false, false}, {true, false}, {true, true}}) {
    const std::string told = error_of([&, a = a, b = b] {
      backend_->gemm(*stream_, {{ElementType::f8, a, b, 8, 8, 8, 1},
                                1.0f,
                                block->get(),
                                block->get(),
                                0.0f,
                                block->get()});
    });
    EXPECT_NE(told.find("allowed is A not transposed with B transposed"), std::string::npos)
        << told;
  }
}

TEST_F(Fp8Fixed, WithoutHipBlasLtThereIsNoRoute) {
  Patched patched(host("splitk"));
  patched.provider.has_hipblaslt = false;
  const auto backend = open(patched.provider, Form::fixed);
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, kShape, 1, 1);
  const std::string told = error_of([&] { gemm.enqueue(); });
  EXPECT_EQ(
      told,
      "GEMM of f8: hipBLASLt is not available on device 0, and no other route takes the type: "
      "convert to bf16");
  EXPECT_TRUE(gemm.untouched());
}

int g_fail_next = 0;
const driver::Table* g_real = nullptr;

// The nth layout cannot be made for want of memory: no answer about the type.
hipblasStatus_t failing_layout(hipblasLtMatrixLayout_t* layout, hipDataType type,
                               std::uint64_t rows, std::uint64_t cols, std::int64_t ld) {
  if (type == HIP_R_8F_E4M3 && g_fail_next-- > 0) return HIPBLAS_STATUS_ALLOC_FAILED;
  return g_real->hipblasLtMatrixLayoutCreate(layout, type, rows, cols, ld);
}

TEST_F(Fp8Fixed, AProbeThatFailedIsTriedAgain) {
  g_real = host("splitk").table;
  Patched patched(host("splitk"));
  patched.table.hipblasLtMatrixLayoutCreate = failing_layout;
  g_fail_next = 1;
  ::testing::internal::CaptureStderr();
  const auto backend = open(patched.provider, Form::fixed);
  EXPECT_NE(error_of([&] { backend->device(0).capabilities().get(); }).find("ALLOC_FAILED"),
            std::string::npos);
  EXPECT_TRUE(backend->device(0).capabilities().get().fp8);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "[hipBLASLt caps] device 0: bf16 1 f16 1 fp8 1\n");
}

}  // namespace
}  // namespace hiplab::lab
