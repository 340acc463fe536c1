// The hipBLASLt handle and the capability probe behind it (mlxcel 2200).
#include "lab.h"
#include "sync/condition_variable.h"
#include "sync/director.h"

namespace hiplab::lab {
namespace {

constexpr GemmShape kShape{ElementType::bf16, false, true, 64, 64, 64, 1};

int times(const std::string& text, const std::string& part) {
  int count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

class BlasLtHandleForms : public ::testing::TestWithParam<Form> {
 protected:
  const driver::Provider& provider_ = host("splitk");
};

// A is creating the handle when B decides on its route. As filed, B reads "initialized" and "not
// available", and its GEMM takes rocBLAS.
TEST_P(BlasLtHandleForms, RouteDecisionWhileTheFirstCreates) {
  const auto backend = open(provider_, GetParam());
  const auto stream_a = backend->stream(0);
  const auto stream_b = backend->stream(0);
  IntegerGemm a(*backend, *stream_a, kShape, 2, 1);
  IntegerGemm b(*backend, *stream_b, kShape, 2, 2);
  ASSERT_TRUE(backend->device(0).rocblas().available());
  HoldAt hold("blaslt.create.begin");
  auto first = std::async(std::launch::async, [&] { a.enqueue(); });
  hold.wait_until_held();
  auto second = std::async(std::launch::async, [&] { b.enqueue(); });
  let_second_thread_go(second, GetParam());
  hold.release();
  first.get();
  second.get();
  EXPECT_EQ(a.wrong(), 0);
  EXPECT_EQ(b.wrong(), 0) << "misrouted, but not wrong";
  const auto counters = backend->counters();
  EXPECT_EQ(counters.at("route.unavailable"), GetParam() == Form::fixed ? 0 : 1);
  EXPECT_EQ(counters.at("route.hipblaslt"), GetParam() == Form::fixed ? 2 : 1);
  EXPECT_EQ(counters.at("handles.hipblaslt"), 1);
}

// A is creating the handle when B probes the capabilities. As filed, the throw leaves all of them
// false for the process.
TEST_P(BlasLtHandleForms, ProbeWhileAnotherThreadCreates) {
  ::testing::internal::CaptureStderr();
  const auto backend = open(provider_, GetParam());
  backend::Device& device = backend->device(0);
  HoldAt hold("blaslt.create.begin");
  auto first = std::async(std::launch::async, [&] { return device.blaslt().available(); });
  hold.wait_until_held();
  auto second = std::async(std::launch::async, [&] {
    try {
      return device.capabilities().get().bf16;
    } catch (const Error&) {
      return false;
    }
  });
  let_second_thread_go(second, GetParam());
  hold.release();
  EXPECT_TRUE(first.get());
  EXPECT_EQ(second.get(), GetParam() == Form::fixed);
  const backend::Capabilities later = device.capabilities().get();
  EXPECT_EQ(later.bf16, GetParam() == Form::fixed);
  EXPECT_EQ(later.f16, GetParam() == Form::fixed);
  const std::string told = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(times(told, "[hipBLASLt caps] device 0: bf16 1 f16 1 fp8 "),
            GetParam() == Form::fixed ? 1 : 0)
      << told;
}

// A handle that is not available the first time it is asked for.
class LateHandle final : public backend::BlasLtHandle {
 public:
  explicit LateHandle(backend::BlasLtHandle& ready) : ready_(ready) {}
  bool available() override { return ready_.available(); }
  bool settled() const override { return ready_.settled(); }
  hipblasLtHandle_t get() override {
    if (!asked_.exchange(true)) throw Error("hipBLASLt is not available on this device.");
    return ready_.get();
  }

 private:
  backend::BlasLtHandle& ready_;
  std::atomic<bool> asked_{false};
};

// The probe alone, whatever form the handle has: a throw must not count as an answer.
TEST_P(BlasLtHandleForms, ProbeAfterAThrow) {
  const auto backend = open(provider_, Form::fixed);
  LateHandle handle(backend->device(0).blaslt());
  forms::FormChoice choice;
  choice.set("capability-probe", GetParam());
  backend::Counters counters;
  const backend::Context context{provider_, counters};
  const auto probe = forms::make_parts(choice)->capabilities(context, 0, handle);
  EXPECT_THROW(probe->get(), Error);
  EXPECT_EQ(probe->get().bf16, GetParam() == Form::fixed);
}

HIPLAB_BOTH_FORMS(BlasLtHandleForms);

const driver::Table* g_real = nullptr;
std::atomic<int> g_creates{0};
std::atomic<int> g_failures{0};  // of the creates from now on
std::atomic<hipblasStatus_t> g_failure{HIPBLAS_STATUS_SUCCESS};

hipblasStatus_t failing_create(hipblasLtHandle_t* handle) {
  ++g_creates;
  return g_failures.fetch_sub(1) > 0 ? g_failure.load() : g_real->hipblasLtCreate(handle);
}

class BlasLtCreateFixed : public ::testing::TestWithParam<hipblasStatus_t> {
 protected:
  BlasLtCreateFixed() {
    g_real = host("splitk").table;
    patched_.table.hipblasLtCreate = failing_create;
    g_creates = 0;
    g_failure = GetParam();
    ::testing::internal::CaptureStderr();
  }

  Patched patched_{host("splitk")};
  const std::string told_ = "warning: hipBLASLt is not available on device 0: hipblasLtCreate ";
};

class BlasLtNeverFixed : public BlasLtCreateFixed {};

// Tried once, told once, every 16-bit GEMM takes rocBLAS and is right.
TEST_P(BlasLtNeverFixed, IsRemembered) {
  g_failures = 1 << 20;
  const auto backend = open(patched_.provider, Form::fixed);
  on_threads(8, [&](int t) {
    const auto stream = backend->stream(0);
    IntegerGemm gemm(*backend, *stream, kShape, 2, t);
    gemm.enqueue();
    EXPECT_EQ(gemm.wrong(), 0);
  });
  EXPECT_THROW(backend->device(0).blaslt().get(), Error);
  EXPECT_TRUE(backend->device(0).blaslt().settled());
  EXPECT_EQ(g_creates, 1);
  const std::string told = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(times(told, told_), 1) << told;
  EXPECT_EQ(backend->counters().at("route.rocblas"), 8);
  EXPECT_EQ(backend->counters().at("route.unavailable"), 8);
}

INSTANTIATE_TEST_SUITE_P(Statuses, BlasLtNeverFixed,
                         ::testing::Values(HIPBLAS_STATUS_NOT_SUPPORTED,
                                           HIPBLAS_STATUS_ARCH_MISMATCH));

class BlasLtNotNowFixed : public BlasLtCreateFixed {};

// The GEMMs that it fails for take rocBLAS and are right, the next one takes hipBLASLt; told once.
TEST_P(BlasLtNotNowFixed, IsTriedAgainByTheNextCall) {
  g_failures = 3;
  const auto backend = open(patched_.provider, Form::fixed);
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, kShape, 2, 1);
  for (int round = 0; round < 2; ++round) {
    gemm.enqueue();
    EXPECT_EQ(gemm.wrong(), 0);
  }
  EXPECT_FALSE(backend->device(0).blaslt().settled());
  try {
    backend->device(0).blaslt().get();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("hipblasLtCreate failed: HIPBLAS_STATUS_"),
              std::string::npos)
        << error.what();
  }
  gemm.poison();
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
  EXPECT_EQ(g_creates, 4);
  EXPECT_TRUE(backend->device(0).blaslt().settled());
  EXPECT_TRUE(backend->device(0).capabilities().get().bf16);
  EXPECT_EQ(backend->counters().at("route.rocblas"), 2);
  EXPECT_EQ(backend->counters().at("route.hipblaslt"), 1);
  const std::string told = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(times(told, told_), 1) << told;
}

// What ran without hipBLASLt before a capture runs without it in the capture.
TEST_P(BlasLtNotNowFixed, ACaptureTakesRocblasAsTheGemmBeforeIt) {
  g_failures = 1;
  const auto backend = open(patched_.provider, Form::fixed);
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, kShape, 2, 1);
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
  auto capture = backend->capture(*stream, hipStreamCaptureModeGlobal);
  gemm.enqueue();
  const auto graph = capture->end();
  gemm.poison();
  graph->launch(*stream);
  EXPECT_EQ(gemm.wrong(), 0);
  EXPECT_EQ(backend->counters().at("route.rocblas"), 2);
  EXPECT_EQ(g_creates, 1);
  ::testing::internal::GetCapturedStderr();
}

INSTANTIATE_TEST_SUITE_P(Statuses, BlasLtNotNowFixed,
                         ::testing::Values(HIPBLAS_STATUS_NOT_INITIALIZED,
                                           HIPBLAS_STATUS_ALLOC_FAILED,
                                           HIPBLAS_STATUS_INTERNAL_ERROR));

TEST(BlasLtHandleFixed, LibraryMissing) {
  Patched patched(host("splitk"));
  patched.provider.has_hipblaslt = false;
  patched.table.hipblasLtCreate = nullptr;
  const auto backend = open(patched.provider, Form::fixed);
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, kShape, 2, 1);
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
  EXPECT_EQ(backend->counters().at("route.rocblas"), 1);
}

std::promise<void>* g_create_begins = nullptr;
std::promise<void>* g_create_goes_on = nullptr;

hipblasStatus_t held_create(hipblasLtHandle_t* handle) {
  g_create_begins->set_value();
  g_create_goes_on->get_future().wait();
  return g_real->hipblasLtCreate(handle);
}

// Lets that create go on when the thread that is to capture waits for it, or captures already.
class CreateGoesOn final : public sync::Director {
 public:
  void point(const char* name) override {
    if (std::string(name) == "capture.begun") go_on();
  }
  void wait_begins(sync::ConditionVariable&, sync::Lock& lock) override {
    if (std::string(lock.name()) == "open captures") go_on();
  }

 private:
  void go_on() {
    std::call_once(once_, [] { g_create_goes_on->set_value(); });
  }
  std::once_flag once_;
};

// No capture survives a create, so one that is to begin meanwhile waits until it is done.
TEST(BlasLtHandleFixed, ACaptureBeginsAfterTheCreateThatIsRunning) {
  g_real = host("splitk").table;
  std::promise<void> begins, goes_on;
  g_create_begins = &begins;
  g_create_goes_on = &goes_on;
  Patched patched(host("splitk"));
  patched.table.hipblasLtCreate = held_create;
  const auto backend = open(patched.provider, Form::fixed);
  const auto stream = backend->stream(0);
  auto created =
      std::async(std::launch::async, [&] { return backend->device(0).blaslt().available(); });
  begins.get_future().wait();
  std::unique_ptr<backend::Capture> capture;
  {
    const sync::Directing directing(std::make_shared<CreateGoesOn>());
    capture = backend->capture(*stream, hipStreamCaptureModeRelaxed);
  }
  EXPECT_TRUE(created.get());
  EXPECT_EQ(capture->status(), hipStreamCaptureStatusActive);
  EXPECT_NO_THROW(capture->end());
}

// From a cold start: one handle, one caps line, every GEMM through hipBLASLt.
TEST(BlasLtHandleFixed, EightThreadsFromColdStart) {
  ::testing::internal::CaptureStderr();
  const auto backend = open(host("splitk"), Form::fixed);
  on_threads(8, [&](int t) {
    const auto stream = backend->stream(0);
    if (t % 2 == 1) backend->device(0).capabilities().get();  // half of them enter elsewhere first
    IntegerGemm gemm(*backend, *stream, kShape, 2, t);
    gemm.enqueue();
    EXPECT_EQ(gemm.wrong(), 0);
  });
  const std::string told = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(times(told, "[hipBLASLt caps] device 0"), 1) << told;
  EXPECT_EQ(backend->counters().at("handles.hipblaslt"), 1);
  EXPECT_EQ(backend->counters().at("route.hipblaslt"), 8);
}

}  // namespace
}  // namespace hiplab::lab
