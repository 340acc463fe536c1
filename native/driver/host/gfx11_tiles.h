// Operands of a gfx11 product as its loops read them: f32, in the order in which they are used.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/host/gfx11.h"

namespace hiplab::driver::host {

inline constexpr int kGfx11Lanes = 16;
inline constexpr int kGfx11Columns = 4;

// A product as its loops see it: lanes x columns outputs, each at lane * lane_stride + column *
// column_stride.
struct Gfx11Shape {
  std::int64_t lanes;
  std::int64_t columns;
  std::int64_t k;
  std::int64_t lane_stride;
  std::int64_t column_stride;

  std::int64_t padded_k() const { return (k + 1) / 2 * 2; }  // a step takes two
};

// out[padded k][width]: `count` rows or columns of the operand from `first`, zeros behind them.
// Returns the largest magnitude; NaN or infinity where there is one.
float gfx11_pack(const Gfx11Operand& operand, std::int64_t first, std::int64_t count,
                 std::int64_t k, int width, float* out);

// The whole of one operand, in groups of kGfx11Columns.
struct Gfx11Packed {
  std::vector<float> values;   // [group][padded k][kGfx11Columns]
  std::vector<float> highest;  // of each group

  void pack(const Gfx11Operand& operand, const Gfx11Shape& shape);
};

}  // namespace hiplab::driver::host
