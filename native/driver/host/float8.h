// f8 (E4M3, OCP) to f32 and back: sign, 4 bits of exponent with bias 7, 3 of mantissa; the largest
// finite value is 448, NaN is 0x7F and 0xFF, there is no infinity (OCP 8-bit floating point).
#pragma once

#include <bit>
#include <cstdint>

namespace hiplab::driver::host {

inline float from_e4m3(std::uint8_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x80u) << 24;
  const std::uint32_t rest = bits & 0x7fu;
  if (rest == 0x7fu) return std::bit_cast<float>(sign | 0x7fc00000u);
  if (rest >= 0x08u) {  // normal: rebias the exponent from 7 to 127
    return std::bit_cast<float>(sign | ((rest << 20) + (120u << 23)));
  }
  const float magnitude = static_cast<float>(rest) * 0x1p-9f;  // subnormal or zero, exact
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
}

// Rounds to nearest even. What is too large, infinity included, becomes 448: the conversion that
// HIP's own type makes unless told otherwise (HIP documentation, __HIP_SATFINITE).
inline std::uint8_t to_e4m3(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint8_t>((bits >> 24) & 0x80u);
  const std::uint32_t rest = bits & 0x7fffffffu;
  if (rest > 0x7f800000u) return static_cast<std::uint8_t>(sign | 0x7fu);
  if (rest >= 0x43e00000u) return static_cast<std::uint8_t>(sign | 0x7eu);  // 448 and above
  if (rest >= 0x3c800000u) {  // normal: 2^-6 and above
    const std::uint32_t rebiased = rest - (120u << 23);
    return static_cast<std::uint8_t>(sign |
                                     ((rebiased + 0x7ffffu + ((rebiased >> 20) & 1u)) >> 20));
  }
  // Subnormal: adding 2^14 puts the last place at 2^-9 and lets the FPU round to nearest even.
  const float sum = std::bit_cast<float>(rest) + 0x1p14f;
  return static_cast<std::uint8_t>(
      sign | (std::bit_cast<std::uint32_t>(sum) - std::bit_cast<std::uint32_t>(0x1p14f)));
}

}  // namespace hiplab::driver::host
