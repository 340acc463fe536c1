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
