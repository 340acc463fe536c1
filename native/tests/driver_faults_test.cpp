// The wrapper table that fails calls, and the data behind it.
#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "driver/counting.h"
#include "driver/error.h"
#include "driver/fault_statuses.h"
#include "driver/faults.h"
#include "gtest/gtest.h"

namespace hiplab::driver {
namespace {

int reached = 0;    // calls that came through to the inner table
int destroyed = 0;  // streams given back
Table& inner() {
  static Table table;
  table.hipSetDevice = [](int) {
    ++reached;
    return hipSuccess;
  };
  table.hipMalloc = [](void** ptr, size_t) {
    ++reached;
    *ptr = &reached;
    return hipSuccess;
  };
  table.hipStreamDestroy = [](hipStream_t) {
    ++destroyed;
    return hipSuccess;
  };
  table.hiprtcDestroyProgram = [](hiprtcProgram* program) {
    destroyed += *program == reinterpret_cast<hiprtcProgram>(&reached) ? 100 : 0;
    *program = nullptr;
    return HIPRTC_SUCCESS;
  };
  table.rocblas_create_handle = [](rocblas_handle*) { return rocblas_status_success; };
  table.hipblasLtCreate = [](hipblasLtHandle_t*) { return HIPBLAS_STATUS_SUCCESS; };
  table.hipGetLastError = [] { return hipErrorUnknown; };
  table.hipGetErrorName = [](hipError_t) -> const char* { return "name"; };
  return table;
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class DriverFaultsFixed : public ::testing::Test {
 protected:
  void SetUp() override { reached = destroyed = 0; }
  void TearDown() override {
    disarm_fault();
    release_leaked();
  }
  const Table& t = inject_faults(inner());
};

TEST_F(DriverFaultsFixed, OneCallFailsAndIsNotMade) {
  arm_fault({.n = 2, .status = hipErrorOutOfMemory});
  void* out = nullptr;
  EXPECT_EQ(t.hipSetDevice(0), hipSuccess);
  EXPECT_EQ(t.hipMalloc(&out, 8), hipErrorOutOfMemory);
  EXPECT_EQ(out, nullptr) << "an out parameter was written";
  EXPECT_EQ(reached, 1);
  EXPECT_EQ(t.hipMalloc(&out, 8), hipSuccess);
  EXPECT_EQ(out, &reached);
  const FaultReport report = disarm_fault();
  EXPECT_EQ(report.calls, 3);
  EXPECT_EQ(report.injected, 1);
  EXPECT_EQ(report.function, "hipMalloc");
  EXPECT_EQ(report.status, hipErrorOutOfMemory);
  EXPECT_EQ(t.hipSetDevice(0), hipSuccess);
  EXPECT_EQ(fault_report().calls, 0) << "counts while nothing is armed";
}

TEST_F(DriverFaultsFixed, ForGoodEveryLibraryFailsInItsOwnWords) {
  arm_fault({.n = 2, .for_good = true, .status = hipErrorIllegalAddress});
  rocblas_handle rocblas = nullptr;
  hipblasLtHandle_t blaslt = nullptr;
  EXPECT_EQ(t.hipSetDevice(0), hipSuccess);
  EXPECT_EQ(t.hipSetDevice(0), hipErrorIllegalAddress);
  EXPECT_EQ(t.rocblas_create_handle(&rocblas), rocblas_status_internal_error);
  EXPECT_EQ(t.hipblasLtCreate(&blaslt), HIPBLAS_STATUS_INTERNAL_ERROR);
  EXPECT_EQ(disarm_fault().injected, 3);
  EXPECT_EQ(t.hipSetDevice(0), hipSuccess);
}

TEST_F(DriverFaultsFixed, UpToTheLastOne) {
  arm_fault({.n = 2, .last = 3, .function = "hipSetDevice", .status = hipErrorInvalidDevice});
  EXPECT_EQ(t.hipSetDevice(0), hipSuccess);
  EXPECT_EQ(t.hipSetDevice(0), hipErrorInvalidDevice);
  EXPECT_EQ(t.hipSetDevice(0), hipErrorInvalidDevice);
  EXPECT_EQ(t.hipSetDevice(0), hipSuccess);
  EXPECT_EQ(disarm_fault().injected, 2);
}

TEST_F(DriverFaultsFixed, OfOneFunctionOnly) {
  arm_fault({.n = 2, .function = "hipMalloc", .status = hipErrorIllegalAddress});
  void* out = nullptr;
  EXPECT_EQ(t.hipMalloc(&out, 8), hipSuccess);
  EXPECT_EQ(t.hipSetDevice(0), hipSuccess);
  EXPECT_EQ(t.hipMalloc(&out, 8), hipErrorIllegalAddress);
  EXPECT_EQ(disarm_fault().calls, 2);
}

TEST_F(DriverFaultsFixed, ListedStatusesComeFromTheFunctionThatFails) {
  const auto statuses = statuses_of(Function::rocblas_create_handle);
  rocblas_handle handle = nullptr;
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    arm_fault({.listed = i});
    EXPECT_EQ(t.rocblas_create_handle(&handle), statuses[i]);
    EXPECT_EQ(disarm_fault().injected, 1);
  }
  arm_fault({.listed = statuses.size()});
  EXPECT_EQ(t.rocblas_create_handle(&handle), rocblas_status_success);
  const FaultReport past = disarm_fault();
  EXPECT_EQ(past.injected, 0);
  EXPECT_EQ(past.function, "rocblas_create_handle") << "the call was there";
}

TEST_F(DriverFaultsFixed, NamesAndTheLastErrorPass) {
  arm_fault({.for_good = true, .status = hipErrorUnknown});
  EXPECT_STREQ(t.hipGetErrorName(hipSuccess), "name");
  EXPECT_EQ(t.hipGetLastError(), hipErrorUnknown);
  EXPECT_EQ(disarm_fault().calls, 0);
}

TEST_F(DriverFaultsFixed, FailedReleasesAreCountedAndCanBeMadeGood) {
  auto* const stream = reinterpret_cast<hipStream_t>(&destroyed);
  {
    auto program = reinterpret_cast<hiprtcProgram>(&reached);
    arm_fault({.for_good = true, .status = hipErrorIllegalAddress});
    EXPECT_EQ(t.hipStreamDestroy(stream), hipErrorIllegalAddress);
    EXPECT_EQ(t.hiprtcDestroyProgram(&program), HIPRTC_ERROR_INTERNAL_ERROR);
    EXPECT_NE(program, nullptr);
  }
  EXPECT_EQ(
      disarm_fault().failed_releases,
      (std::map<std::string, std::int64_t>{{"hipStreamDestroy", 1}, {"hiprtcDestroyProgram", 1}}));
  EXPECT_EQ(destroyed, 0);
  EXPECT_EQ(release_leaked(), 2);
  EXPECT_EQ(destroyed, 101) << "the program's variable is gone, its handle was not kept";
  EXPECT_EQ(release_leaked(), 0);
}

TEST_F(DriverFaultsFixed, AReleaseThatIsTriedAgainIsNoLeak) {
  auto* const stream = reinterpret_cast<hipStream_t>(&destroyed);
  arm_fault({.status = hipErrorIllegalAddress});
  EXPECT_NE(t.hipStreamDestroy(stream), hipSuccess);
  EXPECT_EQ(t.hipStreamDestroy(stream), hipSuccess);
  EXPECT_EQ(disarm_fault().failed_releases.at("hipStreamDestroy"), 1);
  EXPECT_EQ(release_leaked(), 0);
  EXPECT_EQ(destroyed, 1);
}

TEST_F(DriverFaultsFixed, ComposesWithCounting) {
  const Table& counted = count_calls(t);
  const auto before = counted_calls()["hipSetDevice"];
  arm_fault({.status = hipErrorInvalidDevice});
  EXPECT_EQ(counted.hipSetDevice(0), hipErrorInvalidDevice);
  EXPECT_EQ(counted.hipSetDevice(0), hipSuccess);
  EXPECT_EQ(counted_calls()["hipSetDevice"] - before, 2) << "a call that fails was made";
  EXPECT_EQ(reached, 1);
}

TEST_F(DriverFaultsFixed, ExactlyOneOfManyThreadsFails) {
  arm_fault({.n = 2000, .status = hipErrorUnknown});
  std::atomic<int> failed{0};
  static std::atomic<int> through{0};
  inner().hipDeviceSynchronize = [] {
    ++through;
    return hipSuccess;
  };
  static Table other;
  other.hipDeviceSynchronize = inner().hipDeviceSynchronize;
  const Table& second = inject_faults(other);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int call = 0; call < 1000; ++call) failed += second.hipDeviceSynchronize() != hipSuccess;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(failed, 1);
  EXPECT_EQ(through, 3999);
  EXPECT_EQ(disarm_fault().calls, 4000);
}

TEST_F(DriverFaultsFixed, WhatIsMissingStaysMissing) {
  EXPECT_EQ(t.hipGraphLaunch, nullptr);
  EXPECT_NE(t.hipMalloc, nullptr);
  EXPECT_EQ(&inject_faults(inner()), &t);
}

TEST_F(DriverFaultsFixed, FaultsThatCannotHappenAreRefused) {
  EXPECT_NE(message_of([] { arm_fault({.n = 0, .status = 1}); }).find("counted from 1"),
            std::string::npos);
  EXPECT_NE(message_of([] { arm_fault({.status = 0}); }).find("status 0 would be a success"),
            std::string::npos);
  for (const char* name : {"hipMalloc2", "hipGetErrorName", "hipGetLastError"}) {
    EXPECT_NE(message_of([&] { arm_fault({.function = name, .status = 1}); }).find(name),
              std::string::npos);
  }
  arm_fault({.status = 1});
  EXPECT_NE(message_of([] { arm_fault({.status = 1}); }).find("armed already"), std::string::npos);
}

TEST_F(DriverFaultsFixed, StatusesThatTheFunctionDoesNotReturnAreRefused) {
  const auto asked = [](const char* function, int status) {
    return message_of([&] { arm_fault({.function = function, .status = status}); });
  };
  EXPECT_EQ(asked("hipMalloc", 5),
            "hipMalloc does not return status 5, allowed are 2 (hipErrorOutOfMemory), 700 "
            "(hipErrorIllegalAddress), 100 (hipErrorNoDevice), 900 "
            "(hipErrorStreamCaptureUnsupported)");
  EXPECT_EQ(asked("rocblas_set_stream", 700),
            "rocblas_set_stream does not return status 700, allowed are 1 "
            "(rocblas_status_invalid_handle), 6 (rocblas_status_internal_error)");
  EXPECT_EQ(asked("hipblasLtMatmulDescDestroy", 1),
            "hipblasLtMatmulDescDestroy does not return status 1, allowed are 6 "
            "(HIPBLAS_STATUS_INTERNAL_ERROR)");
  EXPECT_EQ(asked("hiprtcDestroyProgram", 700),
            "hiprtcDestroyProgram does not return status 700, allowed are 4 "
            "(HIPRTC_ERROR_INVALID_PROGRAM)");
  // Nothing is armed by a refusal, and what is in the list can be.
  for (const int status : statuses_of(Function::hipMalloc)) {
    EXPECT_EQ(asked("hipMalloc", status), "no error");
    disarm_fault();
  }
}

TEST_F(DriverFaultsFixed, Text) {
  const Fault plain = parse_fault("3:700");
  EXPECT_EQ(plain.n, 3);
  EXPECT_EQ(plain.status, 700);
  EXPECT_FALSE(plain.for_good);
  EXPECT_TRUE(plain.function.empty());
  const Fault good = parse_fault("hipMalloc#17+:2");
  EXPECT_EQ(good.n, 17);
  EXPECT_TRUE(good.for_good);
  EXPECT_EQ(good.function, "hipMalloc");
  const Fault some = parse_fault("hipMalloc#2-4:2");
  EXPECT_EQ(some.n, 2);
  EXPECT_EQ(some.last, 4);
  EXPECT_FALSE(some.for_good);
  for (const char* text :
       {"", "3", ":700", "3:", "x:1", "3:x", "#3:1", "3 :1", "+:1", "4-2:1", "2-:1", "2-4+:1"}) {
    EXPECT_NE(message_of([&] { parse_fault(text); }).find("[function#]n[+|-last]:status"),
              std::string::npos)
        << text;
  }
}

TEST(FaultStatusesFixed, EveryFunctionWithAStatusHasSome) {
  for (std::size_t i = 0; i < kFunctions; ++i) {
    const auto function = static_cast<Function>(i);
    const auto statuses = statuses_of(function);
    EXPECT_EQ(!statuses.empty(), returns_own_status(function)) << function_name(function);
    EXPECT_EQ(std::count(statuses.begin(), statuses.end(), 0), 0) << function_name(function);
    for (const int status : statuses) {
      EXPECT_EQ(std::count(statuses.begin(), statuses.end(), status), 1) << function_name(function);
    }
    if (std::string_view(function_name(function)).starts_with("hip") &&
        !std::string_view(function_name(function)).starts_with("hiprtc") &&
        !std::string_view(function_name(function)).starts_with("hipblas") &&
        returns_own_status(function)) {
      EXPECT_EQ(std::count(statuses.begin(), statuses.end(), int{hipErrorIllegalAddress}), 1)
          << function_name(function);
    }
  }
}

TEST(FaultStatusesFixed, EveryReleaseIsKnown) {
  // By their names: whatever frees, destroys or unloads.
  for (std::size_t i = 0; i < kFunctions; ++i) {
    const auto function = static_cast<Function>(i);
    const std::string name = function_name(function);
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), ::tolower);
    const bool named = lower.find("destroy") != lower.npos || lower.find("free") != lower.npos ||
                       lower.find("unload") != lower.npos;
    EXPECT_EQ(releases(function), named) << name;
  }
}

}  // namespace
}  // namespace hiplab::driver
