#include "driver/host/gfx11.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "driver/host/gfx11_tiles.h"

namespace hiplab::driver::host {
namespace {

// Below this exponent a grid would need factors that f32 does not have.
constexpr int kLowestExponent = -102;
constexpr int kFractionBits = 24;

// About a millisecond of one thread: less is not worth starting others.
constexpr std::int64_t kWorkOfAThread = std::int64_t{1} << 22;

// What several threads work at: panels of lanes, taken one by one.
class Product {
 public:
  Product(const Gfx11Operand& lanes, const Gfx11Packed& packed, const Gfx11Shape& shape,
          float* sums, const Gfx11Loop& loop)
      : lanes_(lanes), packed_(packed), shape_(shape), sums_(sums), loop_(loop) {}

  // Until none is left. Throws std::bad_alloc before it takes one.
  void work() {
    thread_local std::vector<float> panel;
    panel.resize(static_cast<std::size_t>(shape_.padded_k() * kGfx11Lanes));
    for (;;) {
      const std::int64_t first = next_.fetch_add(kGfx11Lanes);
      if (first >= shape_.lanes) return;
      compute_panel(first, panel);
    }
  }

 private:
  void compute_panel(std::int64_t first, std::vector<float>& panel) {
    const std::int64_t count = std::min<std::int64_t>(kGfx11Lanes, shape_.lanes - first);
    const float highest = gfx11_pack(lanes_, first, count, shape_.k, kGfx11Lanes, panel.data());
    alignas(64) float out[kGfx11Columns][kGfx11Lanes];
    for (std::int64_t j = 0; j < shape_.columns; j += kGfx11Columns) {
      const std::int64_t group = j / kGfx11Columns;
      const float* columns = packed_.values.data() + group * shape_.padded_k() * kGfx11Columns;
      if (stays_finite(highest, packed_.highest[static_cast<std::size_t>(group)])) {
        loop_.run(panel.data(), columns, shape_.padded_k() / 2, out[0]);
      } else {
        by_step(panel.data(), columns, out);
      }
      const std::int64_t width = std::min<std::int64_t>(kGfx11Columns, shape_.columns - j);
      for (std::int64_t c = 0; c < width; ++c) {
        for (std::int64_t i = 0; i < count; ++i) {
          sums_[(first + i) * shape_.lane_stride + (j + c) * shape_.column_stride] = out[c][i];
        }
      }
    }
  }

  // No sum of k products of that size leaves f32's range. False for NaN and infinity.
  bool stays_finite(float lane, float column) const {
    const double reach = 2.0 * static_cast<double>(shape_.k + 1) * lane * column;
    return reach < static_cast<double>(std::numeric_limits<float>::max());
  }

  void by_step(const float* lanes, const float* columns,
               float (&out)[kGfx11Columns][kGfx11Lanes]) const {
    for (int c = 0; c < kGfx11Columns; ++c) {
      for (int i = 0; i < kGfx11Lanes; ++i) {
        float sum = 0.0f;
        for (std::int64_t k = 0; k < shape_.padded_k() && !std::isnan(sum); k += 2) {
          sum = gfx11_step(sum, lanes[k * kGfx11Lanes + i] * columns[k * kGfx11Columns + c],
                           lanes[(k + 1) * kGfx11Lanes + i] * columns[(k + 1) * kGfx11Columns + c]);
        }
        out[c][i] = sum;
      }
    }
  }

  const Gfx11Operand& lanes_;
  const Gfx11Packed& packed_;
  const Gfx11Shape& shape_;
  float* const sums_;
  const Gfx11Loop& loop_;
  std::atomic<std::int64_t> next_{0};
};

void help(Product& product) {
  try {
    product.work();
  } catch (const std::bad_alloc&) {
    // The others do the work.
  }
}

// The calling thread, and for a large product others beside it. Products of other queues meanwhile
// keep to their own threads, as they do with OpenBLAS.
void spread(Product& product, std::int64_t threads) {
  static std::mutex helpers;
  std::unique_lock lock(helpers, std::defer_lock);
  std::vector<std::jthread> others;  // joined before the lock is given up
  if (threads > 1 && lock.try_lock()) {
    try {
      for (std::int64_t t = 1; t < threads; ++t) others.emplace_back([&] { help(product); });
    } catch (const std::system_error&) {
      // No thread to be had: those that there are do the work.
    }
  }
  product.work();
}

}  // namespace

float gfx11_step(float accumulator, float p0, float p1) {
  if (!std::isfinite(accumulator) || !std::isfinite(p0) || !std::isfinite(p1)) {
    return accumulator + p0 + p1;
  }
  int exponent = kLowestExponent;
  for (const float term : {accumulator, p0, p1}) {
    if (term != 0.0f) exponent = std::max(exponent, std::ilogb(term));
  }
  const int unit = exponent - kFractionBits;  // the grid's unit is 2^unit
  const bool negative = accumulator < 0.0f;
  std::int64_t sum = 0;
  for (const float term : {accumulator, p0, p1}) {
    if (term == 0.0f) continue;
    const auto magnitude =
        static_cast<std::int64_t>(std::ldexp(std::fabs(static_cast<double>(term)), -unit));
    sum += (term < 0.0f) == negative ? magnitude : ~magnitude;
  }
  if (sum == 0) return 0.0f;
  const float rounded = std::ldexp(static_cast<float>(sum), unit);
  return negative ? -rounded : rounded;
}

void gfx11_product(const Gfx11Operand& a, const Gfx11Operand& b, std::int64_t m, std::int64_t n,
                   std::int64_t k, float* sums, const Gfx11Loop& loop) {
  // Lanes run along the longer side where the other does not fill a vector.
  const bool swapped = m < kGfx11Lanes && n > m;
  const Gfx11Operand& lanes = swapped ? b : a;
  const Gfx11Operand& columns = swapped ? a : b;
  const Gfx11Shape shape = swapped ? Gfx11Shape{n, m, k, m, 1} : Gfx11Shape{m, n, k, 1, m};
  thread_local Gfx11Packed packed;
  packed.pack(columns, shape);
  Product product(lanes, packed, shape, sums, loop);
  const std::int64_t panels = (shape.lanes + kGfx11Lanes - 1) / kGfx11Lanes;
  const std::int64_t machine = std::max(1u, std::thread::hardware_concurrency());
  spread(product, std::min({panels, machine, m * n * k / kWorkOfAThread}));
}

}  // namespace hiplab::driver::host
