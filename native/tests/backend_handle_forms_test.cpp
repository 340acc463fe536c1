// Handles per thread, as upstream MLX has them, against one per device (mlxcel 2198, 2200).
#include "forms_lab.h"

namespace hiplab::lab {
namespace {

constexpr GemmShape kSingle{ElementType::f32, false, false, 64, 64, 128, 1};
constexpr GemmShape kHalf{ElementType::bf16, false, true, 64, 64, 64, 1};

class HandleForms : public ::testing::TestWithParam<Form> {
 protected:
  bool per_thread() const { return GetParam() == Form::per_thread; }

  const driver::Provider& provider_ = host("splitk");
};

// Right in both forms; what differs is how many handles there are.
TEST_P(HandleForms, RocblasFromEightThreads) {
  const auto before = driver::live_objects().at("rocblas_handles");
  {
    const auto backend = open_with(provider_, "rocblas-handle", GetParam());
    on_threads(8, [&](int t) {
      const auto stream = backend->stream(0);
      for (int round = 0; round < 4; ++round) {
        IntegerGemm gemm(*backend, *stream, kSingle, 4, 100 * t + round);
        gemm.enqueue();
        EXPECT_EQ(gemm.wrong(), 0);
      }
    });
    EXPECT_EQ(backend->counters().at("handles.rocblas"), per_thread() ? 8 : 1);
    // A thread's handle ends with it.
    EXPECT_EQ(driver::live_objects().at("rocblas_handles"), before + (per_thread() ? 0 : 1));
  }
  EXPECT_EQ(driver::live_objects().at("rocblas_handles"), before);
}

TEST_P(HandleForms, BlasLtFromEightThreads) {
  const auto before = driver::live_objects().at("hipblaslt_handles");
  {
    const auto backend = open_with(provider_, "blaslt-handle", GetParam());
    on_threads(8, [&](int t) {
      const auto stream = backend->stream(0);
      for (int round = 0; round < 4; ++round) {
        IntegerGemm gemm(*backend, *stream, kHalf, 1, 100 * t + round);
        gemm.enqueue();
        EXPECT_EQ(gemm.wrong(), 0);
      }
    });
    EXPECT_EQ(backend->counters().at("handles.hipblaslt"), per_thread() ? 8 : 1);
    EXPECT_EQ(backend->counters().at("route.hipblaslt"), 32);
  }
  EXPECT_EQ(driver::live_objects().at("hipblaslt_handles"), before);
}

// Whoever owns the handles, those of living threads end with the backend.
TEST_P(HandleForms, EndWithTheBackend) {
  const auto rocblas = driver::live_objects().at("rocblas_handles");
  const auto blaslt = driver::live_objects().at("hipblaslt_handles");
  forms::FormChoice choice;
  choice.set("rocblas-handle", GetParam());
  choice.set("blaslt-handle", GetParam());
  for (int i = 0; i < 3; ++i) {
    Backend backend(provider_, forms::make_parts(choice));
    const auto stream = backend.stream(0);
    IntegerGemm single(backend, *stream, kSingle, 1, 1);
    IntegerGemm half(backend, *stream, kHalf, 1, 1);
    single.enqueue();
    half.enqueue();
    EXPECT_EQ(single.wrong() + half.wrong(), 0);
    EXPECT_EQ(driver::live_objects().at("rocblas_handles"), rocblas + 1);
    EXPECT_EQ(driver::live_objects().at("hipblaslt_handles"), blaslt + 1);
  }
  EXPECT_EQ(driver::live_objects().at("rocblas_handles"), rocblas);
  EXPECT_EQ(driver::live_objects().at("hipblaslt_handles"), blaslt);
}

// The host-callback thread makes a GEMM. One handle per device is there already; per thread, the
// callback creates its own, which is what mlxcel 2200 rejects.
TEST_P(HandleForms, GemmFromAHostCallback) {
  const auto backend = open_with(provider_, "blaslt-handle", GetParam());
  const auto caller = backend->stream(0);
  const auto stream = backend->stream(0);
  IntegerGemm warm(*backend, *stream, kHalf, 1, 1);
  warm.enqueue();
  EXPECT_EQ(warm.wrong(), 0);
  const auto made = backend->counters().at("handles.hipblaslt");
  IntegerGemm gemm(*backend, *stream, kHalf, 1, 2);
  ASSERT_EQ(backend->api().hipLaunchHostFunc(
                caller->get(), [](void* g) { static_cast<IntegerGemm*>(g)->enqueue(); }, &gemm),
            hipSuccess);
  caller->synchronize();
  EXPECT_EQ(gemm.wrong(), 0);
  EXPECT_EQ(backend->counters().at("handles.hipblaslt") - made, per_thread() ? 1 : 0);
}

INSTANTIATE_TEST_SUITE_P(Fixed, HandleForms, ::testing::Values(Form::fixed), form_name);
INSTANTIATE_TEST_SUITE_P(FixedAndOtherRight, HandleForms, ::testing::Values(Form::per_thread),
                         form_name);

std::atomic<int> g_failures_left{0};
const driver::Table* g_real = nullptr;

rocblas_status failing_rocblas(rocblas_handle* handle) {
  if (g_failures_left.fetch_sub(1) > 0) return rocblas_status_memory_error;
  return g_real->rocblas_create_handle(handle);
}

hipblasStatus_t failing_blaslt(hipblasLtHandle_t* handle) {
  if (g_failures_left.fetch_sub(1) > 0) return HIPBLAS_STATUS_ALLOC_FAILED;
  return g_real->hipblasLtCreate(handle);
}

// Creation errors throw, as upstream's do, and the next call of the thread tries again.
TEST(HandlePerThread, CreateFailure) {
  Patched patched(host("splitk"));
  g_real = host("splitk").table;
  patched.table.rocblas_create_handle = failing_rocblas;
  patched.table.hipblasLtCreate = failing_blaslt;
  forms::FormChoice choice;
  choice.set("rocblas-handle", Form::per_thread);
  choice.set("blaslt-handle", Form::per_thread);
  Backend backend(patched.provider, forms::make_parts(choice));
  const auto stream = backend.stream(0);
  IntegerGemm gemm(backend, *stream, kSingle, 1, 1);
  g_failures_left = 1;
  try {
    gemm.enqueue();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.call().function, "rocblas_create_handle");
    EXPECT_NE(std::string(error.what()).find("rocblas_status_memory_error (5)"), std::string::npos);
  }
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
  g_failures_left = 1;
  EXPECT_THROW(backend.device(0).blaslt().get(), Error);
  EXPECT_NE(backend.device(0).blaslt().get(), nullptr);
  g_failures_left = 0;
}

}  // namespace
}  // namespace hiplab::lab
