#include "sync/schedule.h"

namespace hiplab::sync {

std::string duration_text(std::chrono::nanoseconds duration) {
  const auto count = duration.count();
  if (count % 1'000'000'000 == 0) return std::to_string(count / 1'000'000'000) + "s";
  if (count % 1'000'000 == 0) return std::to_string(count / 1'000'000) + "ms";
  if (count % 1'000 == 0) return std::to_string(count / 1'000) + "us";
  return std::to_string(count) + "ns";
}

std::string Place::text() const {
  std::string text = thread + ":" + point;
  if (occurrence != 1) text += "#" + std::to_string(occurrence);
  return text;
}

std::string Order::text() const {
  return "order " + first.text() + (arrived ? " arrived -> " : " -> ") + second.text();
}

std::string Delay::text() const {
  return "delay " + (thread.empty() ? point : thread + ":" + point) + " " + duration_text(duration);
}

std::string Stepped::text() const {
  std::string text = "stepped ";
  if (seed) {
    text += "seed=" + std::to_string(*seed);
  } else {
    text += "choices=";
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (i > 0) text += ",";
      text += std::to_string(choices[i]);
    }
  }
  if (!sleeps_in_time) text += " sleeps=any";
  return text;
}

std::string Schedule::text() const {
  std::string text;
  for (const Order& order : orders) text += order.text() + "\n";
  for (const Delay& delay : delays) text += delay.text() + "\n";
  if (record) text += "record\n";
  if (bound != kDefaultBound) text += "bound " + duration_text(bound) + "\n";
  if (stepped) text += stepped->text() + "\n";
  return text;
}

}  // namespace hiplab::sync
