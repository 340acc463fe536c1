#include "driver/host/gfx11_tiles.h"

#include <algorithm>
#include <bit>

#include "driver/host/half.h"

namespace hiplab::driver::host {
namespace {

// Magnitudes compare as their bits do, NaN above infinity.
template <typename Convert>
std::uint32_t convert_rows(const Gfx11Operand& o, std::int64_t first, std::int64_t count,
                           std::int64_t k, int width, float* out, Convert convert) {
  const auto* base = static_cast<const std::uint16_t*>(o.base);
  std::uint32_t highest = 0;
  const auto put = [&](std::int64_t i, std::int64_t l) {
    const float value = convert(base[(first + i) * o.stride + l * o.k_stride]);
    highest = std::max(highest, std::bit_cast<std::uint32_t>(value) & 0x7fffffffu);
    out[l * width + i] = value;
  };
  if (o.stride == 1) {
    for (std::int64_t l = 0; l < k; ++l) {
      for (std::int64_t i = 0; i < count; ++i) put(i, l);
    }
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t l = 0; l < k; ++l) put(i, l);
    }
  }
  return highest;
}

}  // namespace

float gfx11_pack(const Gfx11Operand& operand, std::int64_t first, std::int64_t count,
                 std::int64_t k, int width, float* out) {
  if (count < width) std::fill(out, out + k * width, 0.0f);
  if (k % 2 != 0) std::fill(out + k * width, out + (k + 1) * width, 0.0f);
  return std::bit_cast<float>(operand.type == ElementType::bf16
                                  ? convert_rows(operand, first, count, k, width, out, from_bf16)
                                  : convert_rows(operand, first, count, k, width, out, from_f16));
}

void Gfx11Packed::pack(const Gfx11Operand& operand, const Gfx11Shape& shape) {
  const std::int64_t groups = (shape.columns + kGfx11Columns - 1) / kGfx11Columns;
  const std::int64_t size = shape.padded_k() * kGfx11Columns;
  values.resize(static_cast<std::size_t>(groups * size));
  highest.resize(static_cast<std::size_t>(groups));
  for (std::int64_t group = 0; group < groups; ++group) {
    const std::int64_t first = group * kGfx11Columns;
    const std::int64_t count = std::min<std::int64_t>(kGfx11Columns, shape.columns - first);
    highest[static_cast<std::size_t>(group)] =
        gfx11_pack(operand, first, count, shape.k, kGfx11Columns, values.data() + group * size);
  }
}

}  // namespace hiplab::driver::host
