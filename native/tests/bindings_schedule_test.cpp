// hiplab.h: an order forced on two threads, and what is told of it.
#include <algorithm>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "bindings_tools.h"

namespace hiplab::bindings {
namespace {

// mlxcel 2198: B binds the shared handle to its stream between A's binding and A's GEMM.
constexpr char kRebind[] =
    "order A:rocblas.rebind.done arrived -> B:rocblas.rebind.done\n"
    "order B:rocblas.leave -> A:rocblas.rebind.done  # A stays before its GEMM until B has left\n"
    "bound 600s\n";

// What became of two f32 GEMMs under the schedule; the handle has been created before.
std::map<std::string, std::string> two_gemms(const std::string& form, const std::string& schedule) {
  BackendRef* backend = open_host(1, "form.rocblas-handle=" + form + "\n");
  struct Job {
    StreamRef* stream;
    BufferRef *a, *b, *c;
  };
  const auto make = [&] {
    Job job{createStream(backend, 0), allocate(backend, 0, 64), allocate(backend, 0, 64),
            allocate(backend, 0, 64)};
    fillBytes(job.stream, job.a, 0);
    fillBytes(job.stream, job.b, 0);
    synchronizeStream(job.stream);
    return job;
  };
  const auto multiply = [](const Job& job) {
    gemm(job.stream, 0, false, false, 4, 4, 4, 1, 1, job.a, job.b, 0, job.c);
  };
  const std::vector<Job> jobs{make(), make(), make()};
  multiply(jobs[2]);
  synchronizeStream(jobs[2].stream);

  ScheduleRef* forced = startSchedule(schedule);
  std::vector<std::thread> threads;
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    threads.emplace_back([&, i] {
      nameThread(i == 0 ? "A" : "B");
      passPoint("test.begin");
      multiply(jobs[i]);
    });
  }
  for (auto& thread : threads) thread.join();
  const auto told = read(endSchedule(forced));
  for (const Job& job : jobs) synchronizeStream(job.stream);
  for (const Job& job : jobs) {
    destroyStream(job.stream);
    for (BufferRef* buffer : {job.a, job.b, job.c}) freeBuffer(buffer);
  }
  closeBackend(backend);
  return told;
}

TEST(BindingsScheduleFiled, TheWindowIsThere) {
  const auto told = two_gemms("FILED", kRebind);
  EXPECT_EQ(told.at("order.0"), "order A:rocblas.rebind.done arrived -> B:rocblas.rebind.done");
  EXPECT_EQ(told.at("order.0.status"), "held");
  EXPECT_EQ(told.at("order.1.status"), "held");
  EXPECT_EQ(told.at("order.1.waited"), "1");
  EXPECT_EQ(told.at("order.1.locks"), "");
  EXPECT_FALSE(told.contains("recorded.0"));
}

TEST(BindingsScheduleFixed, TheLeaseExcludesItAndIsNamed) {
  // A has the lease before B begins.
  const auto told = two_gemms(
      "FIXED", kRebind + std::string("order A:rocblas.rebind.done arrived -> B:test.begin\n"));
  EXPECT_EQ(told.at("order.0.status"), "held");
  EXPECT_EQ(told.at("order.1.status"), "excluded");
  EXPECT_EQ(told.at("order.1.proved"), "1");
  EXPECT_EQ(told.at("order.1.locks"), "rocBLAS handle");
  EXPECT_EQ(told.at("order.1.detail"), "B waits for lock \"rocBLAS handle\", held by A");
}

TEST(BindingsScheduleFixed, RecordsWhatThreadsPassed) {
  const auto told =
      two_gemms("FIXED", "order A:rocblas.leave -> B:test.begin\nrecord\nbound 600s\n");
  EXPECT_EQ(told.at("order.0.status"), "held");
  EXPECT_EQ(told.at("recorded.0"), "A:test.begin");
  std::vector<std::string> of_a;
  std::vector<std::string> of_b;
  for (int n = 0; told.contains("recorded." + std::to_string(n)); ++n) {
    const std::string& place = told.at("recorded." + std::to_string(n));
    if (place.starts_with("A:")) of_a.push_back(place.substr(2));
    if (place.starts_with("B:")) of_b.push_back(place.substr(2));
  }
  EXPECT_EQ(of_a, of_b) << "both ran the same code";
  EXPECT_NE(std::find(of_a.begin(), of_a.end(), "rocblas.rebind.done"), of_a.end());
  // One change of thread at least, which can be forced again.
  ASSERT_TRUE(told.contains("replay.0"));
  EXPECT_NE(told.at("replay.0").find(" -> "), std::string::npos);
  EXPECT_EQ(two_gemms("FIXED", told.at("replay.0") + "\nbound 600s\n").at("order.0.status"),
            "held");
}

TEST(BindingsScheduleFixed, OneAtATime) {
  ScheduleRef* first = startSchedule("record");
  EXPECT_NE(message_of([] { startSchedule("record"); }).find("is in force already"),
            std::string::npos);
  EXPECT_EQ(endSchedule(first), "");
  EXPECT_EQ(endSchedule(startSchedule("")), "");
}

TEST(BindingsScheduleFixed, WrongTextIsOneSentenceAndNothingIsInForce) {
  EXPECT_EQ(message_of([] { startSchedule("record\nordre A:x -> B:y"); }),
            "schedule, line 2: \"ordre\" is not understood: allowed here is order, delay, record, "
            "bound or stepped");
  const std::string stepped = message_of([] { startSchedule("record\nstepped seed=1"); });
  EXPECT_NE(stepped.find("\"stepped seed=1\" cannot be forced"), std::string::npos) << stepped;
  EXPECT_NE(stepped.find("leave that line out; order, delay, record and bound are allowed"),
            std::string::npos)
      << stepped;
  EXPECT_EQ(message_of([] { endSchedule(nullptr); }), "schedule is null: pass one that is open");
  EXPECT_EQ(endSchedule(startSchedule("")), "");
}

TEST(BindingsScheduleFixed, NamesThatAScheduleCannotSayAreRefused) {
  for (const char* name : {"", "a b", "a:b", "a#2", "a/2", "a\tb"}) {
    EXPECT_EQ(message_of([&] { nameThread(name); }),
              "a thread's name is '" + std::string(name) +
                  "', allowed are names without blanks, ':', '#' and '/', such as A or pipe.enter");
    EXPECT_NE(message_of([&] { passPoint(name); }).find("a point's name"), std::string::npos);
  }
  EXPECT_EQ(message_of([] { passPoint("own.point"); }), "no error") << "without a schedule";
}

TEST(BindingsScheduleFixed, EndingItLetsAThreadGoThatStillWaits) {
  ScheduleRef* forced = startSchedule("order A:never -> B:here\nbound 600s\n");
  std::thread waiting([] {
    nameThread("B");
    passPoint("here");
  });
  const auto told = read(endSchedule(forced));
  waiting.join();  // else it hangs for the bound
  EXPECT_EQ(told.at("order.0.status"), "not reached");
  EXPECT_EQ(told.at("order.0.detail").substr(0, 21), "A never came to never");
}

}  // namespace
}  // namespace hiplab::bindings
