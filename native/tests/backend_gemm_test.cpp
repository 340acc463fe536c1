// Row-major GEMMs of every type, transpose and batch against exact integer products.
#include <cmath>

#include "lab.h"

namespace hiplab::lab {
namespace {

class GemmFixed : public ::testing::Test {
 protected:
  GemmFixed() : backend_(open(host("splitk"), Form::fixed)), stream_(backend_->stream(0)) {}

  std::unique_ptr<Backend> backend_;
  std::unique_ptr<CommandStream> stream_;
};

TEST_F(GemmFixed, EveryTypeTransposeAndBatchIsExact) {
  unsigned seed = 1;
  for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::bf16}) {
    for (const int transposes : {0, 1, 2, 3}) {
      for (const std::int64_t batch : {1, 3}) {
        const GemmShape shape{type, (transposes & 1) != 0, (transposes & 2) != 0, 17, 9, 40, batch};
        IntegerGemm gemm(*backend_, *stream_, shape, 2, ++seed);
        gemm.enqueue();
        EXPECT_EQ(gemm.wrong(), 0)
            << backend::element_name(type) << " transposes " << transposes << " batch " << batch;
      }
    }
  }
}

TEST_F(GemmFixed, AlphaAndBeta) {
  for (const ElementType type : {ElementType::f32, ElementType::bf16}) {
    IntegerGemm gemm(*backend_, *stream_, {type, false, true, 16, 24, 8, 1}, 2, 5);
    gemm.enqueue();             // C = AB
    gemm.enqueue(2.0f, -1.0f);  // C = 2AB - C = AB
    EXPECT_EQ(gemm.wrong(), 0);
    gemm.enqueue(1.0f, 1.0f);  // C = 2AB
    EXPECT_EQ(gemm.wrong(2.0f), 0);
  }
}

TEST_F(GemmFixed, RoutesByType) {
  IntegerGemm f32(*backend_, *stream_, {ElementType::f32, false, false, 8, 8, 8, 1}, 2, 1);
  IntegerGemm bf16(*backend_, *stream_, {ElementType::bf16, false, false, 8, 8, 8, 1}, 2, 1);
  f32.enqueue();
  bf16.enqueue();
  bf16.enqueue();
  const auto counters = backend_->counters();
  EXPECT_EQ(counters.at("route.rocblas"), 1);
  EXPECT_EQ(counters.at("route.hipblaslt"), 2);
  EXPECT_EQ(counters.at("route.fallback"), 0);
  EXPECT_EQ(counters.at("handles.pipes"), 1);
}

TEST_F(GemmFixed, WrongSizesAreRefusedBeforeAnythingIsEnqueued) {
  const auto block = backend_->memory(0, 64);
  const auto refuse = [&](GemmShape shape) {
    try {
      backend_->gemm(*stream_, {shape, 1, block->get(), block->get(), 0, block->get()});
      ADD_FAILURE() << "accepted";
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_NE(refuse({ElementType::f32, false, false, 0, 1, 1, 1}).find("m is 0"), std::string::npos);
  EXPECT_NE(refuse({ElementType::f32, false, false, 1, 1, -3, 1}).find("k is -3"),
            std::string::npos);
  EXPECT_NE(refuse({ElementType::f32, false, false, 1, 3000000000, 1, 1}).find("2147483647"),
            std::string::npos);
  EXPECT_NE(refuse({ElementType::f32, false, false, 2000000000, 2000000000, 1, 2000000000})
                .find("64 bits"),
            std::string::npos);
  EXPECT_EQ(backend_->counters().at("route.rocblas"), 0);
}

TEST_F(GemmFixed, HeuristicsKeepToTheCap) {
  const GemmShape shape{ElementType::bf16, false, true, 64, 64, 64, 1};
  const auto all = backend_->heuristics(0, shape, 8, backend::kMaxWorkspaceBytes);
  ASSERT_FALSE(all.empty());
  EXPECT_GT(all[0].workspaceSize, 0u) << "the splitk profile asks for workspace first";
  for (const auto& candidate : backend_->heuristics(0, shape, 8, 0)) {
    EXPECT_EQ(candidate.workspaceSize, 0u);
  }
}

TEST_F(GemmFixed, HeuristicsOfImpossibleCountsAreRefused) {
  const GemmShape shape{ElementType::bf16, false, true, 64, 64, 64, 1};
  for (const int requested : {-1, 0, backend::kMostCandidates + 1}) {
    EXPECT_THROW(backend_->heuristics(0, shape, requested, 0), Error) << requested;
  }
}

TEST_F(GemmFixed, NothingIsLeftBehind) {
  const auto before = driver::live_objects();
  {
    const auto other = open(host("splitk"), Form::fixed);
    on_threads(4, [&](int t) {
      const auto stream = other->stream(0);
      IntegerGemm bf16(*other, *stream, {ElementType::bf16, false, true, 32, 32, 32, 1}, 2, t);
      bf16.enqueue();
      EXPECT_EQ(bf16.wrong(), 0);
    });
    const auto stream = other->stream(0);
    IntegerGemm here(*other, *stream, {ElementType::f16, false, true, 32, 32, 32, 1}, 2, 9);
    here.enqueue();
    EXPECT_EQ(here.wrong(), 0);
  }
  EXPECT_EQ(driver::live_objects(), before);
}

TEST(ConvertFixed, RoundsToNearestEven) {
  using namespace bindings;
  EXPECT_EQ(bf16_to_float(float_to_bf16(1.0f + 1.0f / 256)), 1.0f);                // tie, even
  EXPECT_EQ(bf16_to_float(float_to_bf16(1.0f + 3.0f / 256)), 1.0f + 4.0f / 256);   // tie, up
  EXPECT_EQ(bf16_to_float(float_to_bf16(1.0f + 1.01f / 256)), 1.0f + 2.0f / 256);  // above
  EXPECT_EQ(f16_to_float(float_to_f16(1.0f + 1.0f / 2048)), 1.0f);                 // tie, even
  EXPECT_EQ(f16_to_float(float_to_f16(1.0f + 3.0f / 2048)), 1.0f + 4.0f / 2048);   // tie, up
  EXPECT_EQ(f16_to_float(float_to_f16(65519.0f)), 65504.0f);
  EXPECT_EQ(f16_to_float(float_to_f16(65520.0f)), std::numeric_limits<float>::infinity());
  EXPECT_EQ(f16_to_float(float_to_f16(std::ldexp(1.0f, -25))), 0.0f);  // tie, even
  EXPECT_EQ(f16_to_float(float_to_f16(std::ldexp(3.0f, -25))), std::ldexp(2.0f, -24));
  EXPECT_TRUE(std::isnan(f16_to_float(float_to_f16(NAN))));
  EXPECT_TRUE(std::isnan(bf16_to_float(float_to_bf16(NAN))));
  EXPECT_TRUE(std::signbit(f16_to_float(float_to_f16(-0.0f))));
}

TEST(ConvertFixed, EveryHalfSurvivesTheWayThereAndBack) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float as_f16 = bindings::f16_to_float(half);
    const float as_bf16 = bindings::bf16_to_float(half);
    if (as_f16 == as_f16) {
      ASSERT_EQ(bindings::float_to_f16(as_f16), half);
    }
    if (as_bf16 == as_bf16) {
      ASSERT_EQ(bindings::float_to_bf16(as_bf16), half);
    }
  }
}

}  // namespace
}  // namespace hiplab::lab
