// What count_calls sees of forms: the stream that a GEMM ran on (mlxcel 2198), the device that a
// handle was made on (mlxcel 2200).
#include "driver/faults.h"
#include "forms_lab.h"

namespace hiplab::lab {
namespace {

constexpr GemmShape kSingle{ElementType::f32, false, false, 64, 64, 128, 1};
constexpr GemmShape kHalf{ElementType::bf16, false, true, 64, 64, 64, 1};

const driver::Provider& watched() {
  driver::host::OpenBlas::get();
  driver::Request request;
  request.driver = "host";
  request.profile = "splitk";
  request.host_devices = 2;
  request.count_calls = true;
  return *driver::choose(request).provider;
}

class WatchingForms : public ::testing::TestWithParam<Form> {
 protected:
  WatchingForms() : before_(driver::watched_counts()) {}

  bool filed() const { return GetParam() == Form::filed; }
  std::int64_t counted(const std::string& name) {
    return driver::watched_counts()[name] - before_[name];
  }

  const driver::Provider& provider_ = watched();
  std::map<std::string, std::int64_t> before_;
};

class WatchingFixed : public WatchingForms {};

// Both libraries, batches too, and a capture, whose GEMMs are nodes of its graph.
TEST_P(WatchingFixed, EightThreadsRunOnTheirOwnStreams) {
  const auto backend = open(provider_, GetParam());
  on_threads(8, [&](int t) {
    const auto stream = backend->stream(0);
    for (int round = 0; round < 4; ++round) {
      IntegerGemm single(*backend, *stream, kSingle, 4, 100 * t + round);
      IntegerGemm half(*backend, *stream, kHalf, 1, 100 * t + round);
      IntegerGemm batch(*backend, *stream, {ElementType::f32, false, false, 16, 16, 16, 3}, 2, 1);
      for (IntegerGemm* gemm : {&single, &half, &batch}) gemm->enqueue();
      EXPECT_EQ(single.wrong() + half.wrong() + batch.wrong(), 0);
    }
    IntegerGemm captured(*backend, *stream, kHalf, 1, 7);
    const auto capture = backend->capture(*stream, hipStreamCaptureModeRelaxed);
    captured.enqueue();
    const auto graph = capture->end();
    graph->launch(*stream);
    EXPECT_EQ(captured.wrong(), 0);
  });
  EXPECT_EQ(counted("gemm.own-stream"), 8 * (4 * 3 + 1));
  EXPECT_EQ(counted("gemm.other-stream"), 0);
}

INSTANTIATE_TEST_SUITE_P(Fixed, WatchingFixed, ::testing::Values(Form::fixed), form_name);

class WatchingRebind : public WatchingForms {};

TEST_P(WatchingRebind, RebindBetweenBindAndGemm) {
  const auto backend = open(provider_, GetParam());
  const auto stream_a = backend->stream(0);
  const auto stream_b = backend->stream(0);
  IntegerGemm a(*backend, *stream_a, kSingle, 4, 1);
  IntegerGemm b(*backend, *stream_b, kSingle, 4, 2);
  ASSERT_TRUE(backend->device(0).rocblas().available());
  HoldAt hold("rocblas.rebind.done");
  auto first = std::async(std::launch::async, [&] { a.enqueue(); });
  hold.wait_until_held();
  auto second = std::async(std::launch::async, [&] { b.enqueue(); });
  let_second_thread_go(second, GetParam());
  hold.release();
  first.get();
  second.get();
  stream_a->synchronize();
  stream_b->synchronize();
  EXPECT_EQ(counted("gemm.own-stream"), filed() ? 1 : 2);
  EXPECT_EQ(counted("gemm.other-stream"), filed() ? 1 : 0);
}

HIPLAB_BOTH_FORMS(WatchingRebind);

class WatchingDevice : public WatchingForms {};

// Device 0 is current when device 1 gets its handles.
TEST_P(WatchingDevice, OfTheHandlesOfDeviceOne) {
  const auto backend = open_with(provider_, "blaslt-handle", GetParam());
  const auto stream = backend->stream(1);
  IntegerGemm gemm(*backend, *stream, kHalf, 1, 1);
  ASSERT_EQ(provider_.table->hipSetDevice(0), hipSuccess);
  ::testing::internal::CaptureStderr();
  gemm.enqueue();
  ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(gemm.wrong(), 0);
  EXPECT_EQ(counted("created.hipblaslt.device-0"), filed() ? 1 : 0);
  EXPECT_EQ(counted("created.hipblaslt.device-1"), filed() ? 0 : 1);
  EXPECT_EQ(counted("created.rocblas.device-0"), 0);
  EXPECT_EQ(counted("created.rocblas.device-1"), 1);
}

HIPLAB_BOTH_FORMS(WatchingDevice);

// A GEMM that is made to fail ran nowhere, and looking takes no call of the count.
TEST(WatchingFaults, AFaultIsNotSeenAsARun) {
  driver::Request request;
  request.driver = "host";
  request.profile = "splitk";
  request.host_devices = 2;
  request.count_calls = true;
  request.inject_faults = true;
  const driver::Provider& provider = *driver::choose(request).provider;
  const auto backend = open(provider, Form::fixed);
  const auto stream = backend->stream(0);
  IntegerGemm gemm(*backend, *stream, kSingle, 1, 1);
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
  auto before = driver::watched_counts();
  auto calls = driver::call_counts();
  driver::arm_fault(driver::parse_fault("rocblas_sgemm#1:6"));
  EXPECT_THROW(gemm.enqueue(), Error);
  driver::disarm_fault();
  gemm.enqueue();
  EXPECT_EQ(gemm.wrong(), 0);
  EXPECT_EQ(driver::watched_counts()["gemm.own-stream"] - before["gemm.own-stream"], 1);
  EXPECT_EQ(driver::watched_counts()["gemm.other-stream"], before["gemm.other-stream"]);
  EXPECT_EQ(driver::call_counts()["rocblas_sgemm"] - calls["rocblas_sgemm"], 2);
  EXPECT_EQ(driver::call_counts()["rocblas_get_stream"], calls["rocblas_get_stream"]);
}

}  // namespace
}  // namespace hiplab::lab
