// What a child process says when it crashes: death tests, the child being a fork of this process.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "bindings/hiplab.h"

namespace hiplab::bindings {
namespace {

// Runs `end` on a thread of that name which has passed two points.
void crash_on(const char* thread, void (*end)()) {
  prepareChild();
  std::thread([=] {
    nameThread(thread);
    passPoint("crash.first");
    passPoint("crash.second");
    end();
  }).join();
}

struct CrashLinesFixed : testing::Test {
  CrashLinesFixed() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(CrashLinesFixed, AnAbortTellsItsThreadItsPointsAndItsFrames) {
  const auto aborted = testing::KilledBySignal(SIGABRT);
  EXPECT_EXIT(crash_on("A", [] { std::abort(); }), aborted, "@hiplab-crash\tsignal\tSIGABRT\tA\n");
  EXPECT_EXIT(crash_on("A", [] { std::abort(); }), aborted,
              "@hiplab-points\tA\tcrash.first\tcrash.second\n");
  EXPECT_EXIT(crash_on("A", [] { std::abort(); }), aborted,
              "@hiplab-crash\tframe\tlibc.so.6\t[0-9a-f]+\tabort\n");
  EXPECT_EXIT(crash_on("A", [] { std::abort(); }), aborted, "@hiplab-crash\tend\n");
}

TEST_F(CrashLinesFixed, AnExceptionThatNobodyCatchesTellsItsTypeAndText) {
  EXPECT_EXIT(crash_on("A", [] { throw std::runtime_error("no\nluck"); }),
              testing::KilledBySignal(SIGABRT),
              "@hiplab-crash\twhat\tstd::runtime_error\tno luck\n");
}

TEST_F(CrashLinesFixed, TwoThreadsThatAbortAtOnceAreOneReport) {
  EXPECT_EXIT(crash_on("A",
                       [] {
                         std::thread other([] { std::abort(); });
                         std::abort();
                       }),
              testing::KilledBySignal(SIGABRT), "@hiplab-crash\tend\n");
}

TEST_F(CrashLinesFixed, AskedItTellsThePointsAndGoesOn) {
  EXPECT_EXIT(crash_on("A",
                       [] {
                         raise(pointsSignal());
                         std::_Exit(7);
                       }),
              testing::ExitedWithCode(7), "@hiplab-points\tA\tcrash.first\tcrash.second\n");
}

TEST(FunctionNameFixed, LeavesTheArgumentsOut) {
  EXPECT_EQ(functionName("_ZN6hiplab7backend6Device4gemmEv"), "hiplab::backend::Device::gemm");
  EXPECT_EQ(functionName("_ZN6hiplab12_GLOBAL__N_13runEi"), "hiplab::(anonymous namespace)::run");
  EXPECT_EQ(functionName("_ZNSt8functionIFviEEC1Ev"), "std::function<void (int)>::function");
  EXPECT_EQ(functionName("_ZN6hiplab1AclEv"), "hiplab::A::operator()");
  EXPECT_EQ(functionName("free"), "free");
  EXPECT_EQ(functionName(""), "");
}

}  // namespace
}  // namespace hiplab::bindings
