// f16 and bf16 conversions, over every value.
#include <cmath>
#include <limits>

#include "host_test_tools.h"

namespace hiplab::test {
namespace {

using host::from_bf16;
using host::from_f16;
using host::to_bf16;
using host::to_f16;

TEST(HostHalf, EveryValueComesBack) {
  for (int i = 0; i < 0x10000; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    if (std::isnan(from_f16(bits))) {
      EXPECT_TRUE(std::isnan(from_f16(to_f16(from_f16(bits)))));
    } else {
      ASSERT_EQ(to_f16(from_f16(bits)), bits);
    }
    if (std::isnan(from_bf16(bits))) {
      EXPECT_TRUE(std::isnan(from_bf16(to_bf16(from_bf16(bits)))));
    } else {
      ASSERT_EQ(to_bf16(from_bf16(bits)), bits);
    }
  }
}

// Between neighbours: the middle goes to the even one, either side of it to the nearer.
void check_middles(std::uint16_t (*to)(float), float (*from)(std::uint16_t), int last_finite) {
  for (int i = 0; i < last_finite; ++i) {
    const auto low = static_cast<std::uint16_t>(i);
    const auto high = static_cast<std::uint16_t>(i + 1);
    const float middle = from(low) + (from(high) - from(low)) / 2;
    ASSERT_EQ(to(middle), i % 2 == 0 ? low : high) << i;
    ASSERT_EQ(to(-middle), (i % 2 == 0 ? low : high) | 0x8000) << i;
    ASSERT_EQ(to(std::nextafter(middle, 0.0f)), low) << i;
    ASSERT_EQ(to(std::nextafter(middle, INFINITY)), high) << i;
  }
}

TEST(HostHalf, F16RoundsToNearestEven) { check_middles(to_f16, from_f16, 0x7bff); }
TEST(HostHalf, Bf16RoundsToNearestEven) { check_middles(to_bf16, from_bf16, 0x7f7f); }

TEST(HostHalf, KnownValues) {
  EXPECT_EQ(to_f16(1.0f), 0x3c00);
  EXPECT_EQ(to_f16(-2.0f), 0xc000);
  EXPECT_EQ(to_f16(65504.0f), 0x7bff);
  EXPECT_EQ(to_f16(65519.9f), 0x7bff);
  EXPECT_EQ(to_f16(65520.0f), 0x7c00);
  EXPECT_EQ(to_f16(0x1p-24f), 0x0001);
  EXPECT_EQ(to_f16(0x1p-25f), 0x0000);
  EXPECT_EQ(to_f16(INFINITY), 0x7c00);
  EXPECT_EQ(to_bf16(1.0f), 0x3f80);
  EXPECT_EQ(to_bf16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(to_bf16(-INFINITY), 0xff80);
}

}  // namespace
}  // namespace hiplab::test
