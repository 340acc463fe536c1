// f8 (E4M3) conversions, over every value.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "driver/host/float8.h"

namespace hiplab::driver::host {
namespace {

// By the definition: sign, exponent with bias 7, mantissa; no infinity, one NaN for each sign.
float defined(int bits) {
  const int exponent = (bits >> 3) & 15;
  const int mantissa = bits & 7;
  if (exponent == 15 && mantissa == 7) return std::numeric_limits<float>::quiet_NaN();
  const float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -9)
                                        : std::ldexp(1.0f + mantissa / 8.0f, exponent - 7);
  return (bits & 0x80) != 0 ? -magnitude : magnitude;
}

TEST(HostFloat8Fixed, EveryValueIsAsDefinedAndComesBack) {
  int nans = 0;
  for (int i = 0; i < 0x100; ++i) {
    const auto bits = static_cast<std::uint8_t>(i);
    const float value = from_e4m3(bits);
    if (std::isnan(value)) {
      ++nans;
      EXPECT_EQ(i & 0x7f, 0x7f) << i;
      EXPECT_EQ(to_e4m3(value) & 0x7f, 0x7f) << i;
      continue;
    }
    EXPECT_EQ(value, defined(i)) << i;
    EXPECT_EQ(std::signbit(value), i >= 0x80) << i;
    EXPECT_EQ(to_e4m3(value), bits) << i;
  }
  EXPECT_EQ(nans, 2);
}

// Between neighbours: the middle goes to the even one, either side of it to the nearer.
TEST(HostFloat8Fixed, RoundsToNearestEven) {
  for (int i = 0; i < 0x7e; ++i) {
    const auto low = static_cast<std::uint8_t>(i);
    const auto high = static_cast<std::uint8_t>(i + 1);
    const float middle = from_e4m3(low) + (from_e4m3(high) - from_e4m3(low)) / 2;
    EXPECT_EQ(to_e4m3(middle), i % 2 == 0 ? low : high) << i;
    EXPECT_EQ(to_e4m3(-middle), (i % 2 == 0 ? low : high) | 0x80) << i;
    EXPECT_EQ(to_e4m3(std::nextafter(middle, 0.0f)), low) << i;
    EXPECT_EQ(to_e4m3(std::nextafter(middle, INFINITY)), high) << i;
  }
}

TEST(HostFloat8Fixed, KnownValues) {
  EXPECT_EQ(to_e4m3(1.0f), 0x38);
  EXPECT_EQ(to_e4m3(-2.0f), 0xc0);
  EXPECT_EQ(to_e4m3(448.0f), 0x7e);
  EXPECT_EQ(to_e4m3(447.0f), 0x7e);
  EXPECT_EQ(to_e4m3(1e9f), 0x7e) << "saturates: there is no infinity";
  EXPECT_EQ(to_e4m3(-INFINITY), 0xfe);
  EXPECT_EQ(to_e4m3(0x1p-9f), 0x01);
  EXPECT_EQ(to_e4m3(0x1p-10f), 0x00) << "a tie goes to even";
  EXPECT_EQ(to_e4m3(-0.0f), 0x80);
}

}  // namespace
}  // namespace hiplab::driver::host
