// The router's third route: a kernel of our own where no library takes a GEMM.
#include <cmath>

#include "backend/known_traits.h"
#include "kernel_tools.h"
#include "lab.h"

namespace hiplab::lab {
namespace {

using test::Variable;

class JitGemmTest : public ::testing::Test {
 protected:
  JitGemmTest() : patched_(host("splitk")) {
    patched_.provider.has_rocblas = false;
    patched_.provider.has_hipblaslt = false;
    patched_.table.hipblasLtCreate = [](hipblasLtHandle_t*) -> hipblasStatus_t {
      return HIPBLAS_STATUS_NOT_INITIALIZED;
    };
    patched_.table.rocblas_create_handle = [](rocblas_handle*) -> rocblas_status {
      return rocblas_status_internal_error;
    };
  }

  Variable on_{"HIPLAB_KERNEL_CACHE", nullptr};
  Variable where_{"HIPLAB_CACHE", test::kernel_cache_of_tests().c_str()};
  Patched patched_;
};

// Parts of a device with the traits of another architecture.
class PartsWithTraits final : public backend::FixedParts {
 public:
  explicit PartsWithTraits(std::string arch) : arch_(std::move(arch)) {}
  std::unique_ptr<backend::Traits> traits(const backend::Context&, int,
                                          const std::string&) override {
    return std::make_unique<backend::KnownTraits>(arch_);
  }

 private:
  const std::string arch_;
};

// Both kernels: the plain one, and the one for devices with native WMMA.
class JitGemmFixed : public JitGemmTest, public ::testing::WithParamInterface<const char*> {
 protected:
  JitGemmFixed()
      : backend_(std::make_unique<Backend>(patched_.provider,
                                           std::make_unique<PartsWithTraits>(GetParam()))),
        stream_(backend_->stream(0)) {}

  std::int64_t counter(const char* name) { return backend_->counters().at(name); }

  std::unique_ptr<Backend> backend_;
  std::unique_ptr<CommandStream> stream_;
};

INSTANTIATE_TEST_SUITE_P(Kernels, JitGemmFixed, ::testing::Values("splitk", "gfx1151"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(JitGemmFixed, EveryTypeTransposeAndBatchIsExact) {
  unsigned seed = 1;
  for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::bf16}) {
    for (const int transposes : {0, 1, 2, 3}) {
      for (const std::int64_t batch : {1, 3}) {
        const GemmShape shape{type, (transposes & 1) != 0, (transposes & 2) != 0, 17, 33, 40,
                              batch};
        IntegerGemm gemm(*backend_, *stream_, shape, 2, ++seed);
        gemm.enqueue();
        EXPECT_EQ(gemm.wrong(), 0)
            << backend::element_name(type) << " transposes " << transposes << " batch " << batch;
      }
    }
  }
  EXPECT_EQ(counter("route.jit"), 24);
  EXPECT_EQ(counter("route.jit-plain"), GetParam() == std::string("gfx1151") ? 0 : 24);
  EXPECT_EQ(counter("route.rocblas"), 0);
  EXPECT_EQ(counter("route.hipblaslt"), 0);
  EXPECT_EQ(counter("handles.modules"), 1) << "one program holds the kernels of all types";
}

TEST_P(JitGemmFixed, AlphaAndBeta) {
  for (const ElementType type : {ElementType::f32, ElementType::f16, ElementType::bf16}) {
    IntegerGemm gemm(*backend_, *stream_, {type, false, true, 16, 24, 8, 1}, 2, 5);
    gemm.enqueue();             // C = AB; it was NaN, and beta 0 does not read it
    gemm.enqueue(2.0f, -1.0f);  // C = 2AB - C = AB
    EXPECT_EQ(gemm.wrong(), 0);
    gemm.enqueue(1.0f, 1.0f);  // C = 2AB
    EXPECT_EQ(gemm.wrong(2.0f), 0);
  }
}

// More batches and rows than the grid has blocks along an axis.
TEST_P(JitGemmFixed, BeyondTheGridsLimits) {
  IntegerGemm batches(*backend_, *stream_, {ElementType::f32, false, false, 1, 1, 2, 70000}, 2, 7);
  batches.enqueue();
  EXPECT_EQ(batches.wrong(), 0);
  IntegerGemm rows(*backend_, *stream_, {ElementType::bf16, false, false, 1100000, 1, 1, 1}, 2, 8);
  rows.enqueue();
  EXPECT_EQ(rows.wrong(), 0);
}

// C = A * 1 for every 16-bit pattern: what is loaded and stored again is the same value.
TEST_P(JitGemmFixed, EveryHalfSurvives) {
  constexpr std::int64_t kPatterns = 1 << 16;
  for (const ElementType type : {ElementType::f16, ElementType::bf16}) {
    std::vector<std::uint16_t> in(kPatterns), out(kPatterns);
    for (std::int64_t i = 0; i < kPatterns; ++i) {
      in[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(i);
    }
    const bool f16 = type == ElementType::f16;
    const std::uint16_t one = f16 ? bindings::float_to_f16(1.0f) : bindings::float_to_bf16(1.0f);
    const auto a = backend_->memory(0, kPatterns * 2);
    const auto b = backend_->memory(0, 2);
    const auto c = backend_->memory(0, kPatterns * 2);
    const auto copy = [&](void* to, const void* from, std::size_t bytes, hipMemcpyKind kind) {
      HIPLAB_CHECK(backend_->api(), backend::Where{}, hipMemcpyAsync, to, from, bytes, kind,
                   stream_->get());
      stream_->synchronize();
    };
    copy(a->get(), in.data(), a->bytes(), hipMemcpyHostToDevice);
    copy(b->get(), &one, 2, hipMemcpyHostToDevice);
    backend_->gemm(
        *stream_,
        {{type, false, false, kPatterns, 1, 1, 1}, 1.0f, a->get(), b->get(), 0.0f, c->get()});
    copy(out.data(), c->get(), c->bytes(), hipMemcpyDeviceToHost);
    int wrong = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto value = [&](std::uint16_t bits) {
        return f16 ? bindings::f16_to_float(bits) : bindings::bf16_to_float(bits);
      };
      const float want = value(in[i]), got = value(out[i]);
      // The product is added to a sum of +0, so -0 becomes +0.
      wrong += std::isnan(want) ? !std::isnan(got) : !(want == got);
    }
    EXPECT_EQ(wrong, 0) << backend::element_name(type);
  }
}

TEST_P(JitGemmFixed, FromManyThreads) {
  on_threads(8, [&](int t) {
    const auto stream = backend_->stream(0);
    for (const ElementType type : {ElementType::f32, ElementType::bf16}) {
      IntegerGemm gemm(*backend_, *stream, {type, false, true, 32, 32, 32, 1}, 2, t);
      gemm.enqueue();
      EXPECT_EQ(gemm.wrong(), 0);
    }
  });
  EXPECT_EQ(counter("route.jit"), 16);
  EXPECT_EQ(counter("handles.modules"), 1);
}

class JitRouteFixed : public JitGemmTest {};

// hipBLASLt is there and refuses, rocBLAS is not: the kernel takes the GEMM.
TEST_F(JitRouteFixed, TakesWhatHipblasltRefusesWithoutRocblas) {
  patched_.provider.has_hipblaslt = true;
  patched_.table.hipblasLtCreate = host("splitk").table->hipblasLtCreate;
  patched_.table.hipblasLtMatmul = [](auto...) { return HIPBLAS_STATUS_EXECUTION_FAILED; };
  const auto backend = open(patched_.provider, Form::fixed);
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, {ElementType::bf16, false, true, 32, 32, 32, 1}, 2, 3);
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
  EXPECT_EQ(backend->counters().at("route.jit"), 1);
  EXPECT_EQ(backend->counters().at("route.fallback"), 1);
}

class JitRouteForms : public JitGemmTest, public ::testing::WithParamInterface<Form> {};

// Without rocBLAS: right through the kernel, as filed an error that leaves the output as it was.
TEST_P(JitRouteForms, WithoutAnyLibrary) {
  const auto backend = open(patched_.provider, GetParam());
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, {ElementType::f32, false, false, 24, 8, 16, 1}, 4, 2);
  if (GetParam() == Form::fixed) {
    gemm.enqueue();
    EXPECT_EQ(gemm.wrong(), 0);
    EXPECT_EQ(backend->counters().at("route.jit"), 1);
  } else {
    EXPECT_THROW(gemm.enqueue(), Error);
    EXPECT_TRUE(gemm.untouched());
    EXPECT_EQ(backend->counters().at("route.jit"), 0);
  }
}
HIPLAB_BOTH_FORMS(JitRouteForms);

// A handle that could not be created this time is an error that names its status (mlxcel 2198), not
// a reason for a slow route.
TEST_F(JitRouteFixed, AFailedHandleIsNoMissingLibrary) {
  patched_.provider.has_rocblas = true;
  const auto backend = open(patched_.provider, Form::fixed);
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, {ElementType::f32, false, false, 8, 8, 8, 1}, 4, 2);
  try {
    gemm.enqueue();
    ADD_FAILURE() << "enqueued";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("rocblas_status_internal_error"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(backend->counters().at("route.jit"), 0);
}

TEST_F(JitRouteFixed, WithoutHiprtcTheErrorIsRocblass) {
  patched_.table.hiprtcCreateProgram = nullptr;
  const auto backend = open(patched_.provider, Form::fixed);
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, {ElementType::f32, false, false, 8, 8, 8, 1}, 4, 2);
  try {
    gemm.enqueue();
    ADD_FAILURE() << "enqueued";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("rocBLAS is not available"), std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(gemm.untouched());
}

}  // namespace
}  // namespace hiplab::lab
