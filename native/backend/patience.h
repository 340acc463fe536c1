// How long a caller waits: until a moment, or as long as it takes.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace hiplab::backend {

class Patience {
 public:
  using Clock = std::chrono::steady_clock;

  // From now on; none: without end. A limit below 0 is over at once.
  explicit Patience(std::optional<std::chrono::nanoseconds> limit) {
    // A limit that the clock cannot hold is none.
    const auto now = Clock::now();
    if (limit && *limit < Clock::time_point::max() - now) end_ = now + *limit;
  }

  bool over() const { return end_ && Clock::now() >= *end_; }

  // What is left, at least 0, at most `most`.
  std::chrono::nanoseconds at_most(std::chrono::nanoseconds most) const {
    if (!end_) return most;
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(*end_ - Clock::now());
    return std::clamp(left, std::chrono::nanoseconds{0}, most);
  }

  // The same without a most, for what takes an optional limit.
  std::optional<std::chrono::nanoseconds> left() const {
    if (!end_) return std::nullopt;
    return at_most(std::chrono::nanoseconds::max());
  }

 private:
  std::optional<Clock::time_point> end_;
};

}  // namespace hiplab::backend
