// Stepped mode on a whole backend over the software device: two threads with a stream each, bf16
// GEMMs whose algorithm asks for workspace (mlxcel 2200).
#include <set>
#include <string>
#include <vector>

#include "lab.h"
#include "sync/schedule.h"
#include "sync/stepper.h"
#include "sync/thread.h"

namespace hiplab::lab {
namespace {

using Lines = std::vector<std::string>;

struct Ran {
  int wrong = 0;
  Lines trace;
  std::string schedule;  // that gives the same run again
};

// A backend for each run: what lives on between runs would make them differ. The first GEMM, which
// makes the handles and the workspace, comes before the threads: two that make the filed workspace
// at once may crash, and what is looked for here is a wrong result of the GEMMs.
Ran run(const std::string& schedule, Form workspace, int gemms_each) {
  Ran ran;
  ::testing::internal::CaptureStderr();  // a line of capabilities from each backend
  sync::Stepper stepper(sync::Schedule::parse(schedule));
  {
    forms::FormChoice choice;
    choice.set("workspace", workspace);
    Backend backend(host("splitk"), forms::make_parts(choice));
    const GemmShape shape{ElementType::bf16, false, true, 16, 16, 64, 1};
    {
      const auto stream = backend.stream(0);
      IntegerGemm gemm(backend, *stream, shape, 1, 1);
      gemm.enqueue();
      EXPECT_EQ(gemm.wrong(), 0);
    }
    int wrong[2] = {0, 0};
    const auto body = [&](int t) {
      const auto stream = backend.stream(0);
      std::vector<std::unique_ptr<IntegerGemm>> gemms;
      for (int i = 0; i < gemms_each; ++i) {
        gemms.push_back(
            std::make_unique<IntegerGemm>(backend, *stream, shape, 1, 100u * (t + 1) + i));
      }
      for (auto& gemm : gemms) gemm->enqueue();
      for (auto& gemm : gemms) wrong[t] += gemm->wrong() != 0;
    };
    sync::Thread a("A", [&] { body(0); });
    sync::Thread b("B", [&] { body(1); });
    a.join();
    b.join();
    ran.wrong = wrong[0] + wrong[1];
  }
  stepper.finish();
  ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(stepper.complaint(), "");
  EXPECT_EQ(stepper.deadlock(), std::nullopt);
  ran.trace = stepper.trace();
  ran.schedule = stepper.recorded_schedule().text();
  return ran;
}

Ran seeded(std::uint64_t seed, Form workspace, int gemms_each = 1) {
  return run("stepped seed=" + std::to_string(seed) + " sleeps=any", workspace, gemms_each);
}

std::string first_difference(const Lines& a, const Lines& b) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string left = i < a.size() ? a[i] : "(end)";
    const std::string right = i < b.size() ? b[i] : "(end)";
    if (left != right) return "line " + std::to_string(i) + ": " + left + " / " + right;
  }
  return "none";
}

class SteppedBackendFixed : public ::testing::Test {
 protected:
  // The first run starts the device's threads; later ones find them waiting.
  SteppedBackendFixed() { seeded(0, Form::fixed); }
};

// The schedule is the same 100 times, and so is all that the threads and queues do.
TEST_F(SteppedBackendFixed, OneScheduleOneTrace) {
  const Ran first = seeded(42, Form::fixed);
  EXPECT_EQ(first.wrong, 0);
  EXPECT_GT(first.trace.size(), 100u);
  for (int i = 0; i < 100; ++i) {
    const Ran again = seeded(42, Form::fixed);
    ASSERT_EQ(first_difference(again.trace, first.trace), "none") << "repeat " << i;
    ASSERT_EQ(again.schedule, first.schedule);
    ASSERT_EQ(again.wrong, 0);
  }
}

// Through text, as a record of the run keeps it.
TEST_F(SteppedBackendFixed, RecordedChoicesGiveTheSameTrace) {
  const Ran first = seeded(7, Form::fixed, 3);
  const Ran second = run(first.schedule, Form::fixed, 3);
  EXPECT_EQ(first_difference(second.trace, first.trace), "none");
  EXPECT_EQ(second.wrong, 0);
}

TEST_F(SteppedBackendFixed, OtherSeedsGiveOtherTraces) {
  std::set<Lines> traces;
  for (int seed = 0; seed < 12; ++seed) {
    const Ran ran = seeded(seed, Form::fixed);
    EXPECT_EQ(ran.wrong, 0);
    traces.insert(ran.trace);
  }
  EXPECT_EQ(traces.size(), 12u);
}

// Queues are threads of the run: their steps stand in the trace.
TEST_F(SteppedBackendFixed, QueuesAreStepped) {
  const Ran ran = seeded(1, Form::fixed);
  const auto begins_with = [&](const std::string& name) {
    return std::count_if(ran.trace.begin(), ran.trace.end(),
                         [&](const std::string& line) { return line.starts_with(name + " "); });
  };
  EXPECT_GT(begins_with("queue"), 5);
  EXPECT_GT(begins_with("A"), 5);
  EXPECT_GT(begins_with("B"), 5);
}

// One workspace for both streams: some of a few dozen seeds find a wrong output, each of those
// every time, and none does when each stream has its own. Not for a sanitizer: that form races.
TEST(SteppedBackendFiled, SharedWorkspaceIsFoundAndReplayed) {
  seeded(0, Form::fixed);
  seeded(0, Form::filed);
  std::vector<std::uint64_t> failing;
  for (std::uint64_t seed = 0; seed < 36; ++seed) {
    if (seeded(seed, Form::filed, 2).wrong > 0) failing.push_back(seed);
    EXPECT_EQ(seeded(seed, Form::fixed, 2).wrong, 0) << "seed " << seed;
  }
  ASSERT_FALSE(failing.empty());
  RecordProperty("failing_schedules_of_36", static_cast<int>(failing.size()));
  std::printf("shared workspace: %zu of 36 schedules fail, the first is seed %llu\n",
              failing.size(), static_cast<unsigned long long>(failing[0]));
  for (std::size_t i = 0; i < std::min<std::size_t>(failing.size(), 3); ++i) {
    const Ran once = seeded(failing[i], Form::filed, 2);
    EXPECT_GT(once.wrong, 0);
    for (int again = 0; again < 10; ++again) {
      const Ran repeat = seeded(failing[i], Form::filed, 2);
      EXPECT_EQ(repeat.wrong, once.wrong);
      EXPECT_EQ(first_difference(repeat.trace, once.trace), "none");
    }
  }
}

}  // namespace
}  // namespace hiplab::lab
