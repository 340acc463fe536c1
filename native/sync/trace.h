// A trace: who called what when, what ran when on which stream, and which points were passed.
//
// Off, it costs nothing at a point (which looks at one word already) and one relaxed load at a
// driver call (1.6 ns, measured). On, a note costs two readings of the steady clock and a store of
// 64 bytes into memory of the thread's own (55 to 85 ns in all): no lock, no word that another
// thread writes, and no allocation after a thread's first note. A traced run is timed differently
// all the same: the windows of a race are a little longer, the calls that race a little further
// apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sync/watched.h"

namespace hiplab::sync {

// What a thread may note, and how many threads at a time; what is beyond is counted, not kept. A
// thread's room is address space until it is written (1 MiB).
inline constexpr std::size_t traced_entries = std::size_t{1} << 14;
inline constexpr std::size_t traced_threads = 256;

// `events` are brackets of timing events, which driver/event_runs.h makes runs of.
enum class Traced : std::uint8_t { call, run, point, events };

// Streams are numbers here (driver/stream_numbers.h).
inline constexpr std::int32_t no_stream = INT32_MIN;

struct TraceEntry {
  Traced kind;
  const char* label;        // of a call or run the function's name, of a point its own
  std::int64_t begin;       // nanoseconds of a steady clock, since the trace began. A point's are
  std::int64_t end;         // those when the thread came to it and when it was let go
  std::int32_t stream;      // that it used or ran on
  std::int32_t asked;       // that it was meant for, where somebody said; else as `stream`
  std::uint64_t call;       // a call's own number; of a run that of the call that enqueued it
  const char* thread_name;  // of whoever noted it
  std::uint32_t thread;     // a small number for each thread
};

inline bool tracing() {
  return (detail::watched.load(std::memory_order_relaxed) & detail::traced) != 0;
}

// Where a thing that takes time began. `trace` is 0 when no trace was on.
struct TraceMark {
  std::uint64_t trace = 0;
  std::int64_t at = 0;
};
TraceMark trace_mark() noexcept;

// The clock of traces, nanoseconds.
std::int64_t trace_clock() noexcept;

// Adds an entry that began at `from` and ends now, unless the trace of that time is over. Whoever
// calls it says label, kind, streams and call; the rest is filled in.
void note(const TraceMark& from, TraceEntry entry) noexcept;

// The driver call that the calling thread is in, for those whom it enqueues work through. They
// nest: a callback that runs inside a call has its own. Numbers no two calls of a process alike.
class TracedCall {
 public:
  // Notes nothing unless a trace is on. `label` lives as long as the process.
  TracedCall(const char* label, std::int32_t stream, std::int32_t asked) noexcept;
  ~TracedCall();  // notes the call
  TracedCall(const TracedCall&) = delete;
  TracedCall& operator=(const TracedCall&) = delete;

  // Null outside any.
  static TracedCall* current() noexcept;

  std::uint64_t number() const { return number_; }
  const char* label() const { return label_; }
  std::int32_t stream() const { return stream_; }
  std::uint64_t trace() const { return from_.trace; }
  // Where its work really went; a provider that knows says so.
  void went_to(std::int32_t stream) {
    stream_ = stream;
    told_ = true;
  }
  bool told() const { return told_; }
  // A provider does not say: `stream` is the best that is known.
  void guess(std::int32_t stream) {
    if (!told_) stream_ = stream;
  }

 private:
  const TraceMark from_;
  const char* const label_;
  std::int32_t stream_;
  const std::int32_t asked_;
  std::uint64_t number_ = 0;
  TracedCall* const former_;
  bool told_ = false;
};

// Adds the two events that a call's work stands between. False, and nothing, when the trace is over
// or has no room.
bool note_events(const TracedCall& call, const void* before, const void* after) noexcept;

// What a trace noted, ordered by begin.
struct TraceEntries {
  std::vector<TraceEntry> entries;
  std::uint64_t dropped = 0;  // were not kept
  std::int64_t began = 0;     // steady clock, nanoseconds
};

// Traces the whole process from its construction to end() or its destruction; one at a time (throws
// hiplab::Error). Entries that are under way when it ends are not in it. Thread-safe.
class Trace {
 public:
  Trace();
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  // Once.
  TraceEntries end();

 private:
  std::uint64_t number_ = 0;
  std::int64_t began_ = 0;
};

namespace detail {
// A point, from the thread's arrival until a director lets it go.
class TracedPoint {
 public:
  explicit TracedPoint(const char* name) noexcept : from_(trace_mark()), name_(name) {}
  ~TracedPoint() {
    if (from_.trace != 0) [[unlikely]] {
      note(from_, {Traced::point, name_, 0, 0, no_stream, no_stream, 0, nullptr, 0});
    }
  }
  TracedPoint(const TracedPoint&) = delete;
  TracedPoint& operator=(const TracedPoint&) = delete;

 private:
  const TraceMark from_;
  const char* const name_;
};

// The calling thread's name has changed.
void trace_name();
}  // namespace detail
}  // namespace hiplab::sync
