// hiplab.h: the disposable streams of a time-bounded evaluation.
#include <string>
#include <thread>

#include "bindings_tools.h"

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

}  // namespace
}  // namespace hiplab::bindings
