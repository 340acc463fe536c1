// The text form of a schedule, read.
#include <charconv>
#include <limits>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/error.h"
#include "sync/order_paths.h"
#include "sync/schedule.h"

namespace hiplab::sync {
namespace {

constexpr char kPlaces[] =
    "THREAD:POINT, or THREAD:POINT#2 for the second time, as in A:pipe.enter";

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; in >> word && word[0] != '#';) words.push_back(word);
  return words;
}

// One line: words are taken from the left, and what does not fit is an error that says so.
class Line {
 public:
  Line(int number, std::vector<std::string> words) : number_(number), words_(std::move(words)) {}

  const std::string& take(const char* allowed) {
    if (next_ == words_.size()) {
      throw Error("schedule, line " + std::to_string(number_) + ": it ends after \"" +
                  words_.back() + "\": allowed next is " + allowed);
    }
    return words_[next_++];
  }
  bool take_if(const char* word) {
    if (next_ == words_.size() || words_[next_] != word) return false;
    ++next_;
    return true;
  }
  void end() const {
    if (next_ != words_.size()) {
      refuse(words_[next_],
             words_[0] == "stepped" ? "sleeps=any or the end of the line" : "the end of the line");
    }
  }
  [[noreturn]] void refuse(const std::string& word, const std::string& allowed) const {
    throw Error("schedule, line " + std::to_string(number_) + ": \"" + word +
                "\" is not understood: allowed here is " + allowed);
  }
  int number() const { return number_; }

 private:
  const int number_;
  const std::vector<std::string> words_;
  std::size_t next_ = 0;
};

template <typename Number>
bool parse_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

std::chrono::nanoseconds duration(Line& line) {
  static constexpr char kAllowed[] = "a duration such as 500us, 5ms or 2s, at most 3600s";
  const std::string& word = line.take(kAllowed);
  const auto digits = word.find_first_not_of("0123456789");
  const std::string unit = digits == std::string::npos ? "" : word.substr(digits);
  const std::int64_t scale = unit == "ns"   ? 1
                             : unit == "us" ? 1'000
                             : unit == "ms" ? 1'000'000
                             : unit == "s"  ? 1'000'000'000
                                            : 0;
  constexpr std::int64_t kMost = 3'600'000'000'000;
  std::int64_t count = 0;
  if (scale == 0 || !parse_number(std::string_view(word).substr(0, digits), count) ||
      count > kMost / scale) {
    line.refuse(word, kAllowed);
  }
  return std::chrono::nanoseconds(count * scale);
}

Place place(Line& line) {
  const std::string& word = line.take(kPlaces);
  const auto colon = word.rfind(':');
  if (colon == std::string::npos || colon == 0) line.refuse(word, kPlaces);
  Place place;
  place.thread = word.substr(0, colon);
  place.point = word.substr(colon + 1);
  if (const auto hash = place.point.find('#'); hash != std::string::npos) {
    if (!parse_number(std::string_view(place.point).substr(hash + 1), place.occurrence) ||
        place.occurrence < 1) {
      line.refuse(word, kPlaces);
    }
    place.point.resize(hash);
  }
  if (place.point.empty()) line.refuse(word, kPlaces);
  return place;
}

Order order(Line& line) {
  Order order;
  order.first = place(line);
  order.arrived = line.take_if("arrived");
  const char* allowed = order.arrived ? "->" : "-> or arrived";
  if (const std::string& arrow = line.take(allowed); arrow != "->") line.refuse(arrow, allowed);
  order.second = place(line);
  if (order.first.thread == order.second.thread) {
    line.refuse(order.second.text(), "a point of another thread: " + order.first.thread +
                                         " passes its own points in its own order");
  }
  return order;
}

Delay delay(Line& line) {
  static constexpr char kAllowed[] = "POINT or THREAD:POINT, as in rocblas.rebind.done";
  const std::string& word = line.take(kAllowed);
  const auto colon = word.rfind(':');
  Delay delay;
  delay.point = colon == std::string::npos ? word : word.substr(colon + 1);
  if (colon != std::string::npos) delay.thread = word.substr(0, colon);
  if (delay.point.empty() || colon == 0) line.refuse(word, kAllowed);
  delay.duration = duration(line);
  return delay;
}

Stepped stepped_run(Line& line) {
  static constexpr char kAllowed[] = "seed=NUMBER or choices=NUMBER,NUMBER,...";
  const std::string& word = line.take(kAllowed);
  Stepped stepped;
  if (word.starts_with("seed=")) {
    std::uint64_t seed = 0;
    if (!parse_number(std::string_view(word).substr(5), seed)) line.refuse(word, kAllowed);
    stepped.seed = seed;
    stepped.sleeps_in_time = !line.take_if("sleeps=any");
    return stepped;
  }
  if (!word.starts_with("choices=")) line.refuse(word, kAllowed);
  std::istringstream list(word.substr(8));
  for (std::string item; std::getline(list, item, ',');) {
    std::size_t choice = 0;
    if (!parse_number(std::string_view(item), choice)) line.refuse(word, kAllowed);
    stepped.choices.push_back(choice);
  }
  stepped.sleeps_in_time = !line.take_if("sleeps=any");
  return stepped;
}

void check(const Schedule& schedule, const OrderPaths& paths, const Line& line) {
  if (schedule.stepped && (!schedule.orders.empty() || !schedule.delays.empty())) {
    throw Error("schedule, line " + std::to_string(line.number()) +
                ": \"stepped\" allows no order and no delay beside it, as it makes its own order: "
                "take one or the other out");
  }
  if (schedule.orders.empty() || schedule.orders.back().arrived) return;
  const Order& last = schedule.orders.back();
  const auto against = paths.shortest(last.second, last.first);
  if (against.empty()) return;
  std::string texts;
  for (const Order* order : against) {
    texts += (texts.empty() ? "\"" : ", \"") + order->text() + "\"";
  }
  throw Error("schedule, line " + std::to_string(line.number()) + ": \"" + last.text() +
              "\" contradicts " + texts +
              ": for two threads that are to meet write arrived before both arrows");
}

}  // namespace

Schedule Schedule::parse(const std::string& text) {
  Schedule schedule;
  OrderPaths paths(schedule.orders);
  bool bound_given = false;
  std::istringstream lines(text);
  int number = 0;
  for (std::string row; std::getline(lines, row);) {
    Line line(++number, words_of(row));
    if (words_of(row).empty()) continue;
    static constexpr char kAllowed[] = "order, delay, record, bound or stepped";
    const std::string& kind = line.take(kAllowed);
    if (kind == "order") {
      schedule.orders.push_back(order(line));
      paths.add(schedule.orders.size() - 1);
    } else if (kind == "delay") {
      schedule.delays.push_back(delay(line));
    } else if (kind == "record") {
      schedule.record = true;
    } else if (kind == "bound") {
      if (std::exchange(bound_given, true)) line.refuse(kind, "one bound line in a schedule");
      schedule.bound = duration(line);
    } else if (kind == "stepped") {
      if (schedule.stepped) line.refuse(kind, "one stepped line in a schedule");
      schedule.stepped = stepped_run(line);
    } else {
      line.refuse(kind, kAllowed);
    }
    line.end();
    check(schedule, paths, line);
  }
  return schedule;
}

}  // namespace hiplab::sync
