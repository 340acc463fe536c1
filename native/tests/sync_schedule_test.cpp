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

}  // namespace
}  // namespace hiplab::sync
