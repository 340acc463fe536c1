// hiplab.h: the disposable streams of a time-bounded evaluation.
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "bindings/refs.h"
#include "bindings_tools.h"
#include "driver/host/machine.h"

namespace hiplab::bindings {
namespace {

class BindingsEvaluationFixed : public OneStream {
 protected:
  std::int64_t tracked(const std::string& name) {
    return std::stoll(read(trackerState(backend_, 0)).at(name));
  }
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

// Its work has ended, so that the worker may be done with the scratch before the call returns. The
// free waits for the device, and must be the worker's even then.
TEST_F(BindingsEvaluationFixed, AbandoningDoesNotWaitForTheDevice) {
  const auto queue = driver::host::machine().queue(stream_->stream->get());
  for (int i = 0; i < 50; ++i) {
    StreamRef* ended = acquireStream(backend_, 0);
    BufferRef* scratch = allocate(backend_, 0, 1 << 20);
    fillBytes(ended, scratch, 1);
    synchronizeStream(ended);
    const auto runaway = std::make_shared<driver::host::Marker>();
    ASSERT_EQ(queue->enqueue([runaway] { return runaway; }), rocm::hipSuccess);
    auto abandoned = std::async(std::launch::async, [&] { abandonStream(ended, scratch); });
    const bool waits = abandoned.wait_for(std::chrono::seconds(10)) == std::future_status::timeout;
    runaway->complete();
    abandoned.get();
    ASSERT_FALSE(waits) << "time " << i;
    while (tracked("draining") != 0 || tracked("pinnedBytes") != 0) std::this_thread::yield();
  }
}

TEST_F(BindingsEvaluationFixed, TheBacklogCapOfAValue) {
  EXPECT_EQ(backlogCap("", false), 2);
  EXPECT_EQ(backlogCap("8", false), 2) << "unset: the value is not looked at";
  EXPECT_EQ(backlogCap("", true), 2);
  EXPECT_EQ(backlogCap("8", true), 6);
  EXPECT_EQ(backlogCap("1", true), 1);
}

// Another thread's calls, as they must not end the capture either.
TEST_F(BindingsEvaluationFixed, AStreamInACaptureIsNotGivenUp) {
  constexpr char kFirst[] = "end the capture first";
  BufferRef* scratch = allocate(backend_, 0, 1024);
  EventRef* event = createEvent(backend_, 0, false);
  for (const bool joined : {false, true}) {
    StreamRef* stream = acquireStream(backend_, 0);
    StreamRef* origin = joined ? stream_ : stream;
    beginCapture(origin, 1);
    if (joined) {
      recordEvent(event, origin);
      waitEvent(stream, event);
    }
    fillBytes(stream, scratch, 1);
    std::thread other([&] {
      EXPECT_NE(message_of([&] { releaseStream(stream); }).find(kFirst), std::string::npos);
      EXPECT_NE(message_of([&] { abandonStream(stream, scratch); }).find(kFirst),
                std::string::npos);
    });
    other.join();
    EXPECT_EQ(captureStatus(stream), 1);
    EXPECT_EQ(bufferBytes(scratch), 1024);
    if (joined) {
      recordEvent(event, stream);
      waitEvent(origin, event);
    }
    destroyGraph(endCapture(origin));
    if (joined) {
      abandonStream(stream, scratch);
    } else {
      releaseStream(stream);
    }
  }
  EXPECT_EQ(tracked("acquired"), 0);
  while (tracked("pinnedBytes") != 0) std::this_thread::yield();
  EXPECT_EQ(tracked("owned"), 1) << "what was refused stayed with its owner";
  destroyEvent(event);
}

}  // namespace
}  // namespace hiplab::bindings
