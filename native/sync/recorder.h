// The flight recorder: the last points that each thread reached, for a signal handler to read when
// the process crashes or hangs.
//
// On, a point costs a few nanoseconds more: a store into a ring of the thread's own. No lock, no
// clock, and no allocation after a thread's first point, so that races stay as they are.
#pragma once

#include <array>
#include <cstddef>

namespace hiplab::sync {

// How many points of a thread are kept.
inline constexpr std::size_t kept_points = 8;

// Turns the recorder on or off for the whole process. What was recorded stays readable.
void record_points(bool on);
bool recording();

// A thread that has not ended and has reached a point. `name` is the one that schedules know it by,
// else the kernel's (a Java thread's name, cut to 15 characters).
struct RecordedThread {
  long id;  // the kernel's
  const char* name;
  std::array<const char*, kept_points> points;  // oldest first
  std::size_t count;                            // of points that are there
};

// Calls `visit` for each such thread. Async-signal-safe if `visit` is. The others go on meanwhile:
// a thread's points may be newer at one end than at the other.
void visit_recorded(void (*visit)(const RecordedThread& thread, void* context), void* context);

namespace detail {
void record(const char* point);
// The calling thread's name has changed.
void record_name();
}  // namespace detail
}  // namespace hiplab::sync
