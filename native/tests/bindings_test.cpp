// hiplab.h as Java calls it: results, and one clear sentence for everything that is wrong.
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "bindings_tools.h"

namespace hiplab::bindings {
namespace {

constexpr char kHost[] = "driver=host\nprofile=splitk\nhost_devices=2\ncount_calls=1\n";

class BindingsFixed : public ::testing::Test {
 protected:
  void SetUp() override {
    backend_ = openBackend(kHost);
    stream_ = createStream(backend_, 0);
  }
  void TearDown() override {
    destroyStream(stream_);
    closeBackend(backend_);
  }

  BackendRef* backend_ = nullptr;
  StreamRef* stream_ = nullptr;
};

TEST_F(BindingsFixed, ProductOfEveryType) {
  for (int type = 0; type < 3; ++type) {
    BufferRef* a = allocate(backend_, 0, 4 * 6);
    BufferRef* b = allocate(backend_, 0, 4 * 6);
    BufferRef* c = allocate(backend_, 0, 4 * 4);
    const std::vector<float> left{1, 2, 3, 4, 5, 6};   // 2 x 3
    const std::vector<float> right{1, 0, 2, 1, 0, 3};  // 3 x 2
    copyIn(stream_, a, left.data(), 6, type);
    copyIn(stream_, b, right.data(), 6, type);
    fillBytes(stream_, c, 0xFF);
    std::vector<float> got(4);
    copyOut(stream_, c, got.data(), 4, type);
    for (const float value : got) EXPECT_NE(value, value) << "0xFF is NaN in type " << type;
    gemm(stream_, type, false, false, 2, 2, 3, 1, 1.0f, a, b, 0.0f, c);
    copyOut(stream_, c, got.data(), 4, type);
    EXPECT_EQ(got, (std::vector<float>{5, 11, 14, 23})) << "type " << type;
    for (BufferRef* buffer : {a, b, c}) freeBuffer(buffer);
  }
}

TEST_F(BindingsFixed, WrongCallsAreOneSentence) {
  BufferRef* small = allocate(backend_, 0, 64);
  BufferRef* other = allocate(backend_, 0, 64);
  BufferRef* result = allocate(backend_, 0, 64);
  BufferRef* elsewhere = allocate(backend_, 1, 64);
  const auto multiply = [&](BufferRef* a, BufferRef* b, BufferRef* c, int type, std::int64_t m) {
    return message_of([&] { gemm(stream_, type, false, false, m, 4, 4, 1, 1, a, b, 0, c); });
  };
  EXPECT_EQ(multiply(small, other, result, 0, 4), "no error");
  EXPECT_EQ(multiply(small, other, result, 0, 5),
            "A of 20 f32 elements does not fit: the buffer holds 16");
  EXPECT_EQ(multiply(small, other, result, 7, 4),
            "element type is 7, allowed are 0 (f32), 1 (f16), 2 (bf16) and 3 (f8)");
  EXPECT_EQ(multiply(small, other, small, 0, 4),
            "C is the same buffer as A: a GEMM cannot write over its inputs, pass another buffer");
  EXPECT_EQ(multiply(small, elsewhere, result, 0, 4),
            "B is on device 1, the stream on device 0: both must be on one device");
  EXPECT_EQ(multiply(nullptr, other, result, 0, 4), "A is null: pass one that is open");
  EXPECT_EQ(multiply(small, other, result, 0, -1), "GEMM: m is -1, allowed are 1 to 2147483647");
  float host[4] = {};
  EXPECT_EQ(message_of([&] { copyIn(stream_, small, host, 17, 0); }),
            "copy of 17 f32 elements does not fit: the buffer holds 16");
  EXPECT_EQ(message_of([&] { copyOut(stream_, small, nullptr, 4, 0); }), "destination is null");
  EXPECT_EQ(message_of([&] { fillBytes(stream_, small, 256); }),
            "fill value is 256, allowed are 0 to 255");
  EXPECT_EQ(message_of([&] { allocate(backend_, 0, 0); }),
            "a block of 0 bytes was asked for, at least 1 byte is allowed");
  EXPECT_EQ(message_of([&] { createStream(backend_, 9); }),
            "device 9 does not exist: provider host has 2 devices, allowed are 0 to 1");
  EXPECT_EQ(message_of([&] { closeBackend(backend_); }),
            "the backend cannot be closed, still open are 1 stream, 0 events, 4 buffers, 0 "
            "graphs and 0 candidate lists: close them first");
  for (BufferRef* buffer : {small, other, result, elsewhere}) freeBuffer(buffer);
}

TEST_F(BindingsFixed, EventsOrderStreamsAndTakeTime) {
  StreamRef* second = createStream(backend_, 0);
  EventRef* start = createEvent(backend_, 0, true);
  EventRef* stop = createEvent(backend_, 0, true);
  EventRef* untimed = createEvent(backend_, 0, false);
  recordEvent(start, stream_);
  waitEvent(second, start);
  recordEvent(stop, second);
  synchronizeEvent(stop);
  EXPECT_TRUE(eventDone(start));
  EXPECT_GE(elapsedMillis(start, stop), 0.0f);
  EXPECT_NE(message_of([&] { elapsedMillis(start, untimed); }).find("timing"), std::string::npos);
  synchronizeStream(second);
  EXPECT_TRUE(streamIdle(second));
  for (EventRef* event : {start, stop, untimed}) destroyEvent(event);
  destroyStream(second);
}

TEST_F(BindingsFixed, CountersTellRoutesCallsAndObjects) {
  BufferRef* a = allocate(backend_, 0, 64);
  BufferRef* b = allocate(backend_, 0, 64);
  BufferRef* c = allocate(backend_, 0, 64);
  fillBytes(stream_, a, 0);
  fillBytes(stream_, b, 0);
  const auto before = read(counters(backend_));
  gemm(stream_, 0, false, false, 4, 4, 4, 1, 1, a, b, 0, c);
  gemm(stream_, 2, false, false, 4, 4, 4, 1, 1, a, b, 0, c);
  synchronizeStream(stream_);
  const auto after = read(counters(backend_));
  EXPECT_EQ(after.at("route.rocblas"), "1");
  EXPECT_EQ(after.at("route.hipblaslt"), "1");
  EXPECT_EQ(after.at("handles.rocblas"), "1");
  EXPECT_GT(std::stol(after.at("calls.hipMalloc")), 2);
  EXPECT_EQ(after.at("live.streams"), before.at("live.streams"));
  for (BufferRef* buffer : {a, b, c}) freeBuffer(buffer);
}

TEST_F(BindingsFixed, TellsWhatItIs) {
  const auto info = read(providerInfo(backend_));
  EXPECT_EQ(info.at("provider"), "host");
  EXPECT_EQ(info.at("deviceCount"), "2");
  EXPECT_FALSE(info.at("reason").empty());
  EXPECT_NE(describe(backend_).find("host"), std::string::npos);
  EXPECT_EQ(describe(backend_).find('\n'), std::string::npos);
  EXPECT_EQ(read(deviceInfo(backend_, 1)).at("warpSize"), "32");
  EXPECT_GE(read(formParts()).size(), 10u);
  EXPECT_EQ(read(formParts()).at("workspace"),
            "FIXED,FILED,LEASE_CALL,LEASE_SYNC,EVENT_HANDOFF,THREAD_OWNED,PER_CALL");
  EXPECT_GE(std::stoi(read(openblasInfo()).at("threads")), 1);
}

TEST_F(BindingsFixed, HeuristicsAreOneLineACandidate) {
  CandidatesRef* found =
      queryCandidates(stream_, 2, false, true, 64, 64, 64, 1, 3, std::int64_t{32} << 20);
  std::istringstream lines(candidateLines(found));
  destroyCandidates(found);
  int index = -1;
  std::int64_t bytes = -1;
  double waves = -1;
  int count = 0;
  int solution = -1;
  std::string name;
  while (lines >> index >> bytes >> waves >> solution >> name) {
    EXPECT_EQ(index, count++);
    EXPECT_GE(solution, 0);
    EXPECT_EQ(name.rfind("bf16_MT", 0), 0u) << name;
    EXPECT_GE(bytes, 0);
    EXPECT_GT(waves, 0);
  }
  EXPECT_EQ(count, 3);
  EXPECT_NE(message_of([&] {
              queryCandidates(stream_, 2, false, true, 64, 64, 64, 1, 0, 0);
            }).find("allowed are 1 to 1024"),
            std::string::npos);
}

TEST_F(BindingsFixed, ReferenceProduct) {
  const std::vector<float> a{1, 2, 3, 4, 5, 6};
  const std::vector<float> b{1, 0, 2, 1, 0, 3};
  std::vector<float> c(4);
  cblasSgemm(2, 2, 3, a.data(), b.data(), c.data());
  EXPECT_EQ(c, (std::vector<float>{5, 11, 14, 23}));
  EXPECT_NE(message_of([&] { cblasSgemm(2, 2, 3, nullptr, b.data(), c.data()); }).find("A is null"),
            std::string::npos);
}

TEST_F(BindingsFixed, ManyThreadsWithTheirOwnStreams) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([this, t] {
      StreamRef* stream = createStream(backend_, 0);
      BufferRef* a = allocate(backend_, 0, 1024);
      BufferRef* b = allocate(backend_, 0, 1024);
      BufferRef* c = allocate(backend_, 0, 1024);
      const std::vector<float> ones(256, static_cast<float>(t + 1));
      std::vector<float> got(256);
      for (int round = 0; round < 10; ++round) {
        const int type = round % 3;
        copyIn(stream, a, ones.data(), 256, type);
        copyIn(stream, b, ones.data(), 256, type);
        gemm(stream, type, false, true, 16, 16, 16, 1, 1, a, b, 0, c);
        copyOut(stream, c, got.data(), 256, type);
        for (const float value : got) EXPECT_EQ(value, 16.0f * (t + 1) * (t + 1));
      }
      for (BufferRef* buffer : {a, b, c}) freeBuffer(buffer);
      destroyStream(stream);
    });
  }
  for (auto& thread : threads) thread.join();
}

TEST(BindingsOptionsFixed, QuietBackendSaysNothing) {
  for (const bool quiet : {false, true}) {
    ::testing::internal::CaptureStderr();
    BackendRef* backend = openBackend(std::string(kHost) + (quiet ? "quiet=1" : ""));
    EXPECT_TRUE(hasBlasLtGemm(backend, 0, 2));
    closeBackend(backend);
    const std::string told = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(told.find("[hipBLASLt caps]") == std::string::npos, quiet) << told;
  }
}

TEST(BindingsOptionsFixed, WrongOptionsNameWhatIsAllowed) {
  const auto open = [](const std::string& options) {
    return message_of([&] { closeBackend(openBackend(options)); });
  };
  EXPECT_EQ(open("colour=red"),
            "there is no option 'colour', allowed are driver, profile, host_devices, host_arch, "
            "count_calls, fail_call, form, form.<part>, quiet");
  EXPECT_EQ(open("driver"), "option 'driver' has no value: write key=value");
  EXPECT_EQ(open("driver=vulkan"), "option driver is 'vulkan', allowed are auto, rocm, host");
  EXPECT_EQ(open("profile=gfx9"), "option profile is 'gfx9', allowed are gfx1151, splitk");
  EXPECT_EQ(open("host_devices=17"), "option host_devices is '17', allowed are 1 to 16");
  EXPECT_EQ(open("host_devices=2x"), "option host_devices is '2x', allowed are 1 to 16");
  EXPECT_EQ(open("host_arch=gfx 10"),
            "host_arch is \"gfx 10\", allowed are at most 40 letters, digits, '-', ':' and '+', as "
            "in gfx1010 or gfx90a:xnack-");
  EXPECT_EQ(open("quiet=yes"), "option quiet is 'yes', allowed are 0, 1");
  EXPECT_EQ(open("count_calls=yes"), "option count_calls is 'yes', allowed are 0, 1");
  EXPECT_EQ(
      open("fail_call=second"),
      "option fail_call: fault \"second\" is not \"[function#]n[+|-last]:status\": write 3:700, "
      "17+:700 (for good), hipMalloc#2:2 or hipMalloc#2-4:2");
  EXPECT_NE(open(std::string(kHost) + "fail_call=hipNothing#1:2").find("hipNothing"),
            std::string::npos);
  EXPECT_EQ(open("form=BROKEN"), "form is 'BROKEN', allowed are FIXED, FILED");
  EXPECT_EQ(open("form.pipe=FILED"),
            "there is no part 'pipe', allowed are device-map, rocblas-handle, blaslt-handle, "
            "workspace, pipe-cache, algorithm-cache, capability-probe, router, event-pool, "
            "module-cache, stream-tracker, device-traits, encoders");
  EXPECT_EQ(open("form=FIXED\nform=FILED"), "option form is given twice: give it once");
  EXPECT_EQ(open(std::string(kHost) + "form.workspace=FILED\nform=FIXED\n"), "no error");
}

// In a process of its own: the library is loaded once.
TEST(BindingsOpenBlasFixed, AMissingOneIsToldWhenTheBackendOpens) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        setenv("HIPLAB_OPENBLAS", "/nowhere/at/all", 1);
        std::fputs(message_of([] { openBackend(kHost); }).c_str(), stderr);
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "^OpenBLAS.*was not found.*/nowhere/at/all.*HIPLAB_OPENBLAS");
}

TEST(BindingsProbeFixed, TellsEveryCandidateWithItsReason) {
  setenv("HIPLAB_ROCM_PATH", "/nowhere/rocm", 1);  // this machine may have a ROCm of its own
  const auto found = read(probeDrivers("driver=auto"));
  EXPECT_EQ(found.at("candidate.0.name"), "rocm");
  EXPECT_EQ(found.at("candidate.0.usable"), "0");
  EXPECT_NE(found.at("candidate.0.reason").find("/nowhere/rocm"), std::string::npos);
  EXPECT_EQ(found.at("candidate.1.name"), "host");
  EXPECT_EQ(found.at("candidate.1.usable"), "1");
  EXPECT_FALSE(found.at("candidate.1.reason").empty());
}

TEST(BindingsProbeFixed, ADriverThatWasAskedForIsLookedAtAloneAndItsLackIsNoError) {
  setenv("HIPLAB_ROCM_PATH", "/nowhere/rocm", 1);
  const auto rocm = read(probeDrivers("driver=rocm"));
  EXPECT_EQ(rocm.size(), 3u);
  EXPECT_EQ(rocm.at("candidate.0.name"), "rocm");
  EXPECT_EQ(rocm.at("candidate.0.usable"), "0");
  EXPECT_FALSE(rocm.at("candidate.0.reason").empty());
  EXPECT_EQ(read(probeDrivers("driver=host")).at("candidate.0.name"), "host");
}

TEST(BindingsProbeFixed, OpensNothing) {
  EXPECT_EQ(message_of([] { probeDrivers("driver=host\nprofile=gfx1151\nhost_devices=7"); }),
            "no error");
  // One software device a process: had the probe opened one, this would be refused.
  EXPECT_EQ(message_of([] { closeBackend(openBackend(kHost)); }), "no error");
}

}  // namespace
}  // namespace hiplab::bindings
