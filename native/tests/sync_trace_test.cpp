// The trace's own notes: who, what, when, and what becomes of them when there are many.
#include <algorithm>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "driver/error.h"
#include "gtest/gtest.h"
#include "sync/point.h"
#include "sync/thread_info.h"
#include "sync/trace.h"

namespace hiplab::sync {
namespace {

void call(const char* label, std::int32_t stream) {
  const TracedCall traced(label, stream, no_stream);
}

std::size_t count(const TraceEntries& all, const std::string& label) {
  return static_cast<std::size_t>(
      std::count_if(all.entries.begin(), all.entries.end(),
                    [&label](const TraceEntry& entry) { return entry.label == label; }));
}

TEST(SyncTrace, NotesCallsAndPointsOfNamedThreadsInTheirOrder) {
  Trace trace;
  std::thread([] {
    const ThreadName name("A");
    HIPLAB_POINT("work.begin");
    call("hipMemcpyAsync", 3);
  }).join();
  const TraceEntries all = trace.end();
  ASSERT_EQ(all.entries.size(), 2u);
  EXPECT_STREQ(all.entries[0].label, "work.begin");
  EXPECT_EQ(all.entries[0].kind, Traced::point);
  EXPECT_STREQ(all.entries[0].thread_name, "A");
  EXPECT_EQ(all.entries[1].stream, 3);
  EXPECT_EQ(all.entries[1].asked, 3);
  EXPECT_EQ(all.entries[1].thread, all.entries[0].thread);
  EXPECT_GE(all.entries[0].begin, 0);
  EXPECT_LE(all.entries[0].end, all.entries[1].begin);
  EXPECT_LE(all.entries[1].begin, all.entries[1].end);
  EXPECT_EQ(all.dropped, 0u);
}

TEST(SyncTrace, NotesNothingOutsideATrace) {
  HIPLAB_POINT("before");
  call("before", 1);
  {
    Trace trace;
    call("of-one-that-nobody-reads", 1);
  }
  Trace trace;
  call("during", 1);
  const TraceEntries all = trace.end();
  HIPLAB_POINT("after");
  EXPECT_EQ(all.entries.size(), 1u);
  EXPECT_EQ(count(all, "during"), 1u);
  EXPECT_TRUE(trace.end().entries.empty());
  EXPECT_FALSE(tracing());
}

TEST(SyncTrace, ACallThatBeganBeforeTheTraceIsNotInIt) {
  TraceEntries all;
  {
    const TracedCall before("before", 1, no_stream);
    Trace trace;
    call("within", 1);
    all = trace.end();
  }
  EXPECT_EQ(all.entries.size(), 1u);
  EXPECT_EQ(count(all, "before"), 0u);
}

TEST(SyncTrace, OneAtATime) {
  Trace trace;
  EXPECT_THROW(Trace{}, Error);
  trace.end();
  EXPECT_NO_THROW(Trace{});
}

TEST(SyncTrace, WhatFindsNoRoomIsCounted) {
  Trace trace;
  for (std::size_t i = 0; i < traced_entries + 5; ++i) call("many", 1);
  const TraceEntries all = trace.end();
  EXPECT_EQ(all.entries.size(), traced_entries);
  EXPECT_EQ(all.dropped, 5u);
  Trace next;
  call("again", 1);
  EXPECT_EQ(next.end().entries.size(), 1u);
}

TEST(SyncTrace, CallsNestAndTellWhereTheirWorkWent) {
  Trace trace;
  std::uint64_t inner = 0;
  {
    TracedCall outer("outer", 1, 1);
    {
      TracedCall nested("inner", 5, 5);
      inner = TracedCall::current()->number();
      TracedCall::current()->went_to(6);
      nested.guess(7);
    }
    EXPECT_EQ(TracedCall::current(), &outer);
    EXPECT_NE(outer.number(), inner);
  }
  EXPECT_EQ(TracedCall::current(), nullptr);
  const TraceEntries all = trace.end();
  ASSERT_EQ(all.entries.size(), 2u);
  EXPECT_EQ(all.entries[1].call, inner);
  EXPECT_EQ(all.entries[1].stream, 6);
  EXPECT_EQ(all.entries[1].asked, 5);
}

// Threads that begin and end, and traces that do so meanwhile: nothing of another trace, and
// nothing twice.
TEST(SyncTraceFixed, ThreadsAndTracesComeAndGo) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&stop] {
      while (!stop.load()) {
        std::thread([] {
          for (int i = 0; i < 20; ++i) {
            call("work", 2);
            HIPLAB_POINT("trace-test.point");
          }
        }).join();
        call("own", 1);
      }
    });
  }
  for (int round = 0; round < 50; ++round) {
    Trace trace;
    std::this_thread::sleep_for(std::chrono::microseconds(500));
    const TraceEntries all = trace.end();
    std::set<std::uint64_t> numbers;
    for (const TraceEntry& entry : all.entries) {
      EXPECT_GE(entry.begin, 0);
      EXPECT_LE(entry.begin, entry.end);
      if (entry.kind == Traced::call) {
        EXPECT_TRUE(numbers.insert(entry.call).second);
      }
    }
    // On a loaded machine a round can be long enough to fill a buffer; nothing is dropped before.
    EXPECT_TRUE(all.dropped == 0 || all.entries.size() >= traced_entries) << all.dropped;
  }
  stop = true;
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace hiplab::sync
