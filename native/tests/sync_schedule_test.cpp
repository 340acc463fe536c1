// Schedules as text.
#include <gtest/gtest.h>

#include <string>

#include "driver/error.h"
#include "sync/schedule.h"

namespace hiplab::sync {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST(ScheduleFixed, ReadsEveryLine) {
  const Schedule schedule = Schedule::parse(
      "# the init window\n"
      "order A:blaslt.init.flag-set -> B:blaslt.enter   # B in the window\n"
      "\n"
      "order B:x#2 arrived -> A:y\n"
      "delay rocblas.rebind.done 5ms\n"
      "delay A:pipe.enter 30us\n"
      "record\n"
      "bound 2s\n");
  ASSERT_EQ(schedule.orders.size(), 2u);
  EXPECT_EQ(schedule.orders[0],
            (Order{{"A", "blaslt.init.flag-set", 1}, false, {"B", "blaslt.enter", 1}}));
  EXPECT_EQ(schedule.orders[1], (Order{{"B", "x", 2}, true, {"A", "y", 1}}));
  ASSERT_EQ(schedule.delays.size(), 2u);
  EXPECT_EQ(schedule.delays[0], (Delay{"", "rocblas.rebind.done", milliseconds(5)}));
  EXPECT_EQ(schedule.delays[1], (Delay{"A", "pipe.enter", microseconds(30)}));
  EXPECT_TRUE(schedule.record);
  EXPECT_EQ(schedule.bound, std::chrono::seconds(2));
  EXPECT_FALSE(schedule.stepped);
}

TEST(ScheduleFixed, PrintsWhatItReads) {
  for (const char* text : {
           "",
           "order A:x -> B:y\norder B:y#3 arrived -> queue/2:z\ndelay x 1500us\nrecord\n",
           "delay A:x 7ns\nbound 250ms\n",
           "stepped seed=18446744073709551615\n",
           "record\nstepped choices=0,2,11\n",
           "stepped choices=\n",
           "stepped seed=3 sleeps=any\n",
           "stepped choices=1,0 sleeps=any\n",
       }) {
    EXPECT_EQ(Schedule::parse(text).text(), text);
    EXPECT_EQ(Schedule::parse(Schedule::parse(text).text()), Schedule::parse(text));
  }
}

TEST(ScheduleFixed, DefaultsAreNotPrinted) {
  EXPECT_EQ(Schedule::parse("bound 5s\n").text(), "");
  EXPECT_EQ(Schedule{}.bound, std::chrono::seconds(5));
}

// Each names the line, the word and what is allowed.
TEST(ScheduleFixed, ErrorsNameLineWordAndWhatIsAllowed) {
  const struct {
    const char* text;
    std::vector<std::string> parts;
  } kCases[] = {
      {"ordr A:x -> B:y", {"line 1", "\"ordr\"", "order, delay, record, bound or stepped"}},
      {"\n# c\norder A:x => B:y", {"line 3", "\"=>\"", "-> or arrived"}},
      {"order A:x arrived B:y", {"line 1", "\"B:y\"", "->"}},
      {"order Ax -> B:y", {"line 1", "\"Ax\"", "THREAD:POINT"}},
      {"order A: -> B:y", {"line 1", "\"A:\"", "THREAD:POINT"}},
      {"order A:x#0 -> B:y", {"line 1", "\"A:x#0\"", "THREAD:POINT"}},
      {"order A:x ->", {"line 1", "\"->\"", "THREAD:POINT"}},
      {"order A:x -> B:y z", {"line 1", "\"z\"", "end of the line"}},
      {"order A:x -> A:y", {"line 1", "\"A:y\"", "another thread"}},
      {"order A:x -> B:y\norder B:y -> A:x", {"line 2", "contradicts", "arrived"}},
      {"order A:x -> B:y\norder B:y -> C:z\norder C:z -> A:x",
       {"line 3", "contradicts \"order A:x -> B:y\", \"order B:y -> C:z\""}},
      {"order A:x#2 -> B:y\norder B:y -> A:x#1", {"line 2", "contradicts"}},
      {"delay x", {"line 1", "\"x\"", "5ms"}},
      {"delay x 5", {"line 1", "\"5\"", "5ms"}},
      {"delay x -5ms", {"line 1", "\"-5ms\"", "5ms"}},
      {"delay x 5000s", {"line 1", "\"5000s\"", "3600s"}},
      {"bound soon", {"line 1", "\"soon\"", "2s"}},
      {"record all", {"line 1", "\"all\"", "end of the line"}},
      {"bound 2s\nbound 3s", {"line 2", "\"bound\"", "one bound line"}},
      {"stepped", {"line 1", "\"stepped\"", "seed=NUMBER"}},
      {"stepped seed=-1", {"line 1", "\"seed=-1\"", "seed=NUMBER"}},
      {"stepped choices=1,a", {"line 1", "\"choices=1,a\"", "choices=NUMBER"}},
      {"stepped seed=1 sleeps=no", {"line 1", "\"sleeps=no\"", "sleeps=any"}},
      {"stepped seed=1\nstepped seed=2", {"line 2", "\"stepped\"", "one stepped line"}},
      {"stepped seed=1\norder A:x -> B:y", {"line 2", "\"stepped\"", "no order"}},
  };
  for (const auto& c : kCases) {
    std::string message;
    try {
      Schedule::parse(c.text);
    } catch (const Error& error) {
      message = error.what();
    }
    for (const std::string& part : c.parts) {
      EXPECT_NE(message.find(part), std::string::npos) << c.text << "\n" << message;
    }
  }
}

// Each D leads to two places and both to the next D: 2^kDeep ways from first to last, and none
// back. The lines come last first, so that every one is checked against all that follow from it.
TEST(ScheduleFixed, ManyWaysAreNotTriedOneByOne) {
  constexpr int kDeep = 200;
  std::string text;
  for (int i = kDeep; i-- > 0;) {
    const std::string here = std::to_string(i);
    const std::string next = std::to_string(i + 1);
    for (const std::string way : {"B", "C"}) {
      text += "order " + way + ":p" + here + " -> D:q" + next + "\n";
      text += "order D:q" + here + " -> " + way + ":p" + here + "\n";
    }
  }
  EXPECT_EQ(Schedule::parse(text).orders.size(), 4u * kDeep);
  std::string message;
  try {
    Schedule::parse(text + "order D:q2 -> D2:x\norder D2:x#3 -> D:q0#7\n");
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_EQ(message, "") << "q0's seventh time is not its first";
  try {
    Schedule::parse(text + "order D:q2 -> A:x\norder A:x -> D:q0\n");
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_NE(message.find("line 802: \"order A:x -> D:q0\" contradicts \"order D:q0 -> B:p0\", "
                         "\"order B:p0 -> D:q1\", \"order D:q1 -> B:p1\", "
                         "\"order B:p1 -> D:q2\", \"order D:q2 -> A:x\": "),
            std::string::npos)
      << message;
}

// Later occurrences follow from earlier ones, so every line leads to all those behind it.
TEST(ScheduleFixed, ManyOccurrencesAreNotTriedOneByOne) {
  std::string text;
  for (int i = 200; i > 0; --i) {
    const std::string here = std::to_string(i);
    const std::string next = std::to_string(i + 1);
    text += "order B:x#" + here + " -> A:x#" + next + "\n";
    text += "order A:x#" + here + " -> B:x#" + here + "\n";
  }
  EXPECT_EQ(Schedule::parse(text).orders.size(), 400u);
  EXPECT_THROW(Schedule::parse(text + "order A:x#201 -> B:x#100\n"), Error);
}

}  // namespace
}  // namespace hiplab::sync
