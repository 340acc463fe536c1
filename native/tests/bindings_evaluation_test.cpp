// hiplab.h: f8 inputs, tuning, and the disposable streams of a time-bounded evaluation.
#include <gtest/gtest.h>

#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "bindings/hiplab.h"
#include "driver/error.h"

namespace hiplab::bindings {
namespace {

class BindingsEvaluationFixed : public ::testing::Test {
 protected:
  void SetUp() override {
    backend_ = openBackend("driver=host\nprofile=splitk\nhost_devices=1\n");
    stream_ = createStream(backend_, 0);
  }
  void TearDown() override {
    destroyStream(stream_);
    closeBackend(backend_);
  }

  BufferRef* filled(int count, float value, int type, int bytes) {
    BufferRef* buffer = allocate(backend_, 0, static_cast<std::int64_t>(count) * bytes);
    const std::vector<float> values(static_cast<std::size_t>(count), value);
    copyIn(stream_, buffer, values.data(), count, type);
    return buffer;
  }

  std::int64_t tracked(const std::string& name) {
    std::istringstream lines(trackerState(backend_, 0));
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(name + "=")) return std::stoll(line.substr(name.size() + 1));
    }
    return -1;
  }

  static std::string message_of(const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  BackendRef* backend_ = nullptr;
  StreamRef* stream_ = nullptr;
};

TEST_F(BindingsEvaluationFixed, F8InputsGiveBf16) {
  BufferRef* a = filled(16 * 16, 2, 3, 1);
  BufferRef* b = filled(16 * 16, 3, 3, 1);
  BufferRef* c = allocate(backend_, 0, 16 * 16 * 2);
  gemm(stream_, 3, false, true, 16, 16, 16, 1, 1, a, b, 0, c);
  std::vector<float> got(16 * 16);
  copyOut(stream_, c, got.data(), 16 * 16, 2);
  EXPECT_EQ(got, std::vector<float>(16 * 16, 96));
  copyOut(stream_, a, got.data(), 16 * 16, 3);
  EXPECT_EQ(got, std::vector<float>(16 * 16, 2));
  BufferRef* small = allocate(backend_, 0, 16 * 16);
  EXPECT_NE(message_of([&] {
              gemm(stream_, 3, false, true, 16, 16, 16, 1, 1, a, b, 0, small);
            }).find("bf16 elements does not fit"),
            std::string::npos);
  EXPECT_NE(message_of([&] { copyIn(stream_, a, got.data(), 1, 4); }).find("3 (f8)"),
            std::string::npos);
  for (BufferRef* buffer : {a, b, c, small}) freeBuffer(buffer);
}

TEST_F(BindingsEvaluationFixed, TuneTellsACandidateALine) {
  BufferRef* a = filled(64 * 64, 1, 2, 2);
  BufferRef* b = filled(64 * 64, 1, 2, 2);
  BufferRef* c = filled(64 * 64, 7, 2, 2);
  std::istringstream lines(tune(stream_, 2, false, true, 64, 64, 64, 1, a, b, c, 3, 2));
  int count = 0;
  int chosen = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    std::istringstream fields(line);
    int index = -1;
    int best = -1;
    std::int64_t bytes = -1;
    double waves = -1;
    double millis = -2;
    EXPECT_TRUE(fields >> index >> bytes >> waves >> millis >> best) << line;
    EXPECT_EQ(index, count);
    EXPECT_GE(millis, 0) << line;
    chosen += best;
  }
  EXPECT_EQ(count, 3);
  EXPECT_EQ(chosen, 1);
  std::vector<float> got(64 * 64);
  copyOut(stream_, c, got.data(), 64 * 64, 2);
  EXPECT_EQ(got, std::vector<float>(64 * 64, 7)) << "C was written";
  EXPECT_NE(message_of([&] {
              tune(stream_, 2, false, true, 64, 64, 64, 1, a, b, c, 0, 2);
            }).find("requested is 0"),
            std::string::npos);
  for (BufferRef* buffer : {a, b, c}) freeBuffer(buffer);
}

TEST_F(BindingsEvaluationFixed, StreamsOfTheTrackerAreUsedAgain) {
  StreamRef* first = acquireStream(backend_, 0);
  EXPECT_EQ(tracked("acquired"), 1);
  EXPECT_NE(message_of([&] { destroyStream(first); }).find("releaseStream or abandonStream"),
            std::string::npos);
  EXPECT_NE(message_of([&] { closeBackend(backend_); }).find("2 streams"), std::string::npos);
  EXPECT_NE(message_of([&] { releaseStream(stream_); }).find("acquireStream"), std::string::npos);
  releaseStream(first);
  EXPECT_EQ(tracked("pooled"), 1);
  releaseStream(acquireStream(backend_, 0));
  EXPECT_EQ(tracked("owned"), 1) << "the pooled stream was not used again";
}

TEST_F(BindingsEvaluationFixed, AbandonedWorkPinsItsScratchUntilItHasEnded) {
  const std::int64_t before = tracked("pinnedBytes");
  StreamRef* overrun = acquireStream(backend_, 0);
  BufferRef* scratch = allocate(backend_, 0, 1 << 20);
  fillBytes(overrun, scratch, 1);
  abandonStream(overrun, scratch);
  StreamRef* without = acquireStream(backend_, 0);
  abandonStream(without, nullptr);
  EXPECT_EQ(before, 0);
  EXPECT_EQ(tracked("acquired"), 0);
  // Both references are gone: closing must not find them open. The work ends by itself.
  while (tracked("draining") != 0 || tracked("pinnedBytes") != 0) std::this_thread::yield();
  EXPECT_EQ(tracked("owned"), tracked("pooled"));
}

}  // namespace
}  // namespace hiplab::bindings
