// f16 and bf16 to f32 and back, rounding to nearest even.
#pragma once

#include <bit>
#include <cstdint>

namespace hiplab::driver::host {

inline float from_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

inline std::uint16_t to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  // A NaN keeps its upper bits and is made quiet: rounding could turn it into infinity.
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

inline float from_f16(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t rest = half & 0x7fffu;
  if (rest >= 0x7c00u) {  // infinity or NaN
    return std::bit_cast<float>(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
  }
  if (rest >= 0x400u) {  // normal: rebias the exponent from 15 to 127
    return std::bit_cast<float>(sign | ((rest << 13) + (112u << 23)));
  }
  const float magnitude = static_cast<float>(rest) * 0x1p-24f;  // subnormal or zero, exact
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
}

inline std::uint16_t to_f16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t rest = bits & 0x7fffffffu;
  if (rest > 0x7f800000u) return sign | 0x7e00u;   // NaN
  if (rest >= 0x477ff000u) return sign | 0x7c00u;  // rounds to infinity: 65520 and above
  if (rest >= 0x38800000u) {                       // normal: 2^-14 and above
    const std::uint32_t rebiased = rest - (112u << 23);
    return sign | static_cast<std::uint16_t>((rebiased + 0xfffu + ((rebiased >> 13) & 1u)) >> 13);
  }
  // Subnormal: adding 0.5 puts the last place at 2^-24 and lets the FPU round to nearest even.
  const float sum = std::bit_cast<float>(rest) + 0.5f;
  return sign | static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(sum) - 0x3f000000u);
}

}  // namespace hiplab::driver::host
