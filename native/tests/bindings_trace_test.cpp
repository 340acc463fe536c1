// A trace as hiplab.h tells it.
#include "bindings_tools.h"

namespace hiplab::bindings {
namespace {

class BindingsTrace : public OneStream {};

TEST_F(BindingsTrace, TellsStreamsAndEntriesInLines) {
  TraceRef* trace = startTrace(false);
  EXPECT_EQ(message_of([] { startTrace(false); }),
            "a trace is on already: one at a time is allowed in a process, end that one first");
  nameThread("A");
  passPoint("work.begin");
  synchronizeStream(stream_);
  std::istringstream lines(endTrace(trace));
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[0], "runs=device steps");
  EXPECT_EQ(all[1], "dropped=0");
  EXPECT_EQ(all[2].substr(0, 7), "stream=");
  EXPECT_EQ(all[3], "entries=2");
  EXPECT_EQ(all[4].substr(0, 6), "point\t");
  EXPECT_NE(all[4].find("\tA\twork.begin\t"), std::string::npos);
  EXPECT_EQ(all[5].substr(0, 5), "call\t");
  EXPECT_NE(all[5].find("\tA\thipStreamSynchronize\t"), std::string::npos);
}

TEST_F(BindingsTrace, EventsTellOfRunsOnlyWhatTheyBracket) {
  TraceRef* trace = startTrace(true);
  BufferRef* buffer = filled(16, 1, 0, 4);
  fillBytes(stream_, buffer, 0);
  synchronizeStream(stream_);
  freeBuffer(buffer);
  const std::string text = endTrace(trace);
  EXPECT_EQ(text.substr(0, 12), "runs=events\n");
  EXPECT_NE(text.find("\nrun\t"), std::string::npos);
  EXPECT_EQ(text.find("\nevents"), std::string::npos);
  EXPECT_NE(text.find("hipMemsetAsync"), std::string::npos);
}

TEST(BindingsTraces, ANullTraceIsAnError) {
  EXPECT_EQ(message_of([] { endTrace(nullptr); }), "trace is null: pass one that is open");
}

}  // namespace
}  // namespace hiplab::bindings
