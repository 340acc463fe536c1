// The wrapper table that counts calls.
#include <thread>
#include <vector>

#include "driver/counting.h"
#include "driver/error.h"
#include "gtest/gtest.h"

namespace hiplab::driver {
namespace {

// A table of two functions whose answers the wrapper must hand through.
Table& inner() {
  static Table table;
  table.hipSetDevice = [](int device) { return device == 0 ? hipSuccess : hipErrorInvalidDevice; };
  table.hipGetErrorName = [](hipError_t) -> const char* { return "name"; };
  return table;
}

TEST(DriverCounting, CountsAndHandsThrough) {
  const Table& counted = count_calls(inner());
  const auto before = counted_calls();
  EXPECT_EQ(counted.hipSetDevice(0), hipSuccess);
  EXPECT_EQ(counted.hipSetDevice(5), hipErrorInvalidDevice);
  EXPECT_STREQ(counted.hipGetErrorName(hipSuccess), "name");
  auto after = counted_calls();
  EXPECT_EQ(after["hipSetDevice"] - (before.count("hipSetDevice") ? before.at("hipSetDevice") : 0),
            2);
  EXPECT_EQ(after["hipGetErrorName"], 1);
  EXPECT_EQ(after.count("hipMalloc"), 0u) << "never called";
}

TEST(DriverCounting, WhatIsMissingStaysMissing) {
  const Table& counted = count_calls(inner());
  EXPECT_EQ(counted.hipMalloc, nullptr);
  EXPECT_EQ(counted.rocblas_sgemm, nullptr);
  EXPECT_NE(counted.hipSetDevice, nullptr);
}

TEST(DriverCounting, OneWrapperPerTableAndNoFifth) {
  EXPECT_EQ(&count_calls(inner()), &count_calls(inner()));
  static Table others[4];
  const Table& second = count_calls(others[0]);
  EXPECT_NE(&second, &count_calls(inner()));
  EXPECT_THROW(
      {
        for (Table& other : others) count_calls(other);
      },
      Error);
}

TEST(DriverCounting, LosesNoCallOfManyThreads) {
  const Table& counted = count_calls(inner());
  const auto before = counted_calls();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int call = 0; call < 10000; ++call) counted.hipSetDevice(0);
    });
  }
  for (auto& thread : threads) thread.join();
  const auto was = before.find("hipSetDevice");
  EXPECT_EQ(counted_calls()["hipSetDevice"] - (was == before.end() ? 0 : was->second), 40000);
}

}  // namespace
}  // namespace hiplab::driver
