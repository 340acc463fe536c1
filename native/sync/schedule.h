// Schedules as text: what to force on a run, one line each.
//
//   order A:blaslt.init.flag-set -> B:blaslt.enter    B passes its point after A has passed its own
//   order A:x arrived -> B:y                          ... after A has come to its own
//   order A:x#2 -> B:y                                the second time that A comes to x
//   delay rocblas.rebind.done 5ms                     whoever comes there waits; A:point for one
//   record                                            which thread passed which point, in order
//   bound 5s                                          how long an order is waited for
//   stepped seed=42                                   one thread at a time, chosen from a seed
//   stepped choices=0,2,1                             the same, as a run recorded them
//   stepped seed=42 sleeps=any                        a sleep may end before other threads stand
//
// Threads are named by sync::Thread or ThreadName; where several have one name, the second is
// "name/2", in the order in which they came. "#" begins a comment at the start of a line and behind
// a space; empty lines count for nothing.
//
// Two threads that are to meet, each waiting for the other, say "arrived" on both lines: an order
// of passing in both directions contradicts itself.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hiplab::sync {

// A thread's `occurrence`th coming to a point.
struct Place {
  std::string thread;
  std::string point;
  int occurrence = 1;

  std::string text() const;
  bool operator==(const Place&) const = default;
};

struct Order {
  Place first;
  bool arrived = false;  // it is enough that `first` has been reached
  Place second;

  std::string text() const;
  bool operator==(const Order&) const = default;
};

struct Delay {
  std::string thread;  // empty: any
  std::string point;
  std::chrono::nanoseconds duration{0};

  std::string text() const;
  bool operator==(const Delay&) const = default;
};

// Either a seed or choices.
struct Stepped {
  std::optional<std::uint64_t> seed;
  std::vector<std::size_t> choices;
  // In time, a sleep ends when no thread can go on otherwise; else whenever it is chosen.
  bool sleeps_in_time = true;

  std::string text() const;
  bool operator==(const Stepped&) const = default;
};

struct Schedule {
  static constexpr std::chrono::nanoseconds kDefaultBound = std::chrono::seconds(5);

  std::vector<Order> orders;
  std::vector<Delay> delays;
  bool record = false;
  std::chrono::nanoseconds bound = kDefaultBound;
  std::optional<Stepped> stepped;

  // Throws hiplab::Error that names the line, the word and what is allowed.
  static Schedule parse(const std::string& text);
  // What parse() reads back as the same schedule.
  std::string text() const;
  bool operator==(const Schedule&) const = default;
};

// "5ms": the largest unit that divides it.
std::string duration_text(std::chrono::nanoseconds duration);

}  // namespace hiplab::sync
