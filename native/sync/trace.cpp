#include "sync/trace.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <new>

#include "driver/error.h"
#include "sync/lasting.h"
#include "sync/thread_info.h"

namespace hiplab::sync {
namespace {

std::int64_t now() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Written by one thread at a time, who took it; read by who ends a trace. Never freed: that of a
// thread that ended is taken by a later one, which writes behind it.
struct Buffer {
  std::atomic<bool> taken{true};
  std::atomic<std::uint64_t> trace{0};  // that the entries are of
  std::atomic<std::size_t> count{0};    // entries that are complete
  std::atomic<std::uint64_t> dropped{0};
  std::unique_ptr<TraceEntry[]> entries{new TraceEntry[traced_entries]};  // not touched yet
  Buffer* next = nullptr;

  // False when there is no room for it.
  bool add(std::uint64_t of, const TraceEntry& entry) noexcept {
    const std::uint64_t former = trace.load(std::memory_order_relaxed);
    if (former > of) return false;  // who wrote it is late: its trace is over
    if (former < of) {
      // The former trace has been read: no other begins before that.
      count.store(0, std::memory_order_relaxed);
      dropped.store(0, std::memory_order_relaxed);
      trace.store(of, std::memory_order_release);
    }
    const std::size_t at = count.load(std::memory_order_relaxed);
    if (at == traced_entries) {
      dropped.fetch_add(1, std::memory_order_relaxed);
      return false;
    }
    entries[at] = entry;
    count.store(at + 1, std::memory_order_release);
    return true;
  }
};

constinit std::atomic<Buffer*> buffers{nullptr};
constinit std::atomic<std::size_t> buffer_count{0};
constinit std::atomic<std::uint64_t> dropped_without_buffer{0};

constinit std::mutex trace_mutex;        // who begins and ends traces
constinit std::uint64_t last_trace = 0;  // trace_mutex
constinit std::atomic<std::uint64_t> current_trace{0};

constinit std::atomic<std::uint32_t> last_thread{0};

// Trivial, so that they can be read while the thread's other locals die.
thread_local Buffer* mine = nullptr;
thread_local bool gone = false;
thread_local std::uint32_t my_number = 0;
thread_local std::uint64_t my_calls = 0;
thread_local const char* my_name = nullptr;  // null: look
thread_local TracedCall* current_call = nullptr;

struct Release {
  bool used = false;
  ~Release() {
    if (mine != nullptr) mine->taken.store(false, std::memory_order_release);
    mine = nullptr;
    gone = true;
  }
};
thread_local Release release;

std::uint32_t thread_number() noexcept {
  if (my_number == 0) my_number = last_thread.fetch_add(1, std::memory_order_relaxed) + 1;
  return my_number;
}

// The name that schedules know it by, else the kernel's.
const char* name() {
  if (my_name == nullptr) {
    const ThreadInfo* info = known_thread_info();
    char kernels[16] = "";
    if (info == nullptr || !info->named)
      pthread_getname_np(pthread_self(), kernels, sizeof kernels);
    my_name = lasting(info != nullptr && info->named ? info->name : kernels);
  }
  return my_name;
}

Buffer* buffer() noexcept {
  if (mine != nullptr || gone) return mine;
  release.used = true;  // makes it, so that it dies with the thread
  for (Buffer* b = buffers.load(std::memory_order_acquire); b != nullptr; b = b->next) {
    bool expected = false;
    if (!b->taken.load(std::memory_order_relaxed) &&
        b->taken.compare_exchange_strong(expected, true, std::memory_order_acq_rel)) {
      return mine = b;
    }
  }
  if (buffer_count.fetch_add(1, std::memory_order_relaxed) >= traced_threads) {
    buffer_count.fetch_sub(1, std::memory_order_relaxed);
    return nullptr;
  }
  try {
    auto made = std::make_unique<Buffer>();
    made->next = buffers.load(std::memory_order_relaxed);
    while (!buffers.compare_exchange_weak(made->next, made.get(), std::memory_order_acq_rel)) {
    }
    mine = made.release();
  } catch (const std::bad_alloc&) {
    buffer_count.fetch_sub(1, std::memory_order_relaxed);
  }
  return mine;
}

}  // namespace

std::int64_t trace_clock() noexcept { return now(); }

TraceMark trace_mark() noexcept {
  if (!tracing()) return {};
  return {current_trace.load(std::memory_order_acquire), now()};
}

namespace {

bool add(std::uint64_t trace, TraceEntry& entry) noexcept {
  if (trace == 0 || current_trace.load(std::memory_order_acquire) != trace) return false;
  Buffer* const into = buffer();
  if (into == nullptr) {
    dropped_without_buffer.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  entry.thread = thread_number();
  entry.thread_name = name();
  return into->add(trace, entry);
}

}  // namespace

void note(const TraceMark& from, TraceEntry entry) noexcept {
  if (from.trace == 0) return;
  entry.begin = from.at;
  entry.end = now();
  add(from.trace, entry);
}

bool note_events(const TracedCall& call, const void* before, const void* after) noexcept {
  TraceEntry entry{Traced::events,
                   call.label(),
                   reinterpret_cast<std::int64_t>(before),
                   reinterpret_cast<std::int64_t>(after),
                   call.stream(),
                   call.stream(),
                   call.number(),
                   nullptr,
                   0};
  return add(call.trace(), entry);
}

TracedCall::TracedCall(const char* label, std::int32_t stream, std::int32_t asked) noexcept
    : from_(trace_mark()), label_(label), stream_(stream), asked_(asked), former_(current_call) {
  // Of this thread and no other word: threads that enqueue at once stay as they are.
  number_ = (std::uint64_t{thread_number()} << 32) | ++my_calls;
  current_call = this;
}

TracedCall::~TracedCall() {
  current_call = former_;
  note(from_, {Traced::call, label_, 0, 0, stream_, asked_ == no_stream ? stream_ : asked_, number_,
               nullptr, 0});
}

TracedCall* TracedCall::current() noexcept { return current_call; }

Trace::Trace() {
  const std::lock_guard lock(trace_mutex);
  if (current_trace.load(std::memory_order_relaxed) != 0) {
    throw Error("a trace is on already: one at a time is allowed in a process, end that one first");
  }
  number_ = ++last_trace;
  dropped_without_buffer.store(0, std::memory_order_relaxed);
  began_ = now();
  current_trace.store(number_, std::memory_order_release);
  detail::watched.fetch_or(detail::traced, std::memory_order_relaxed);
}

Trace::~Trace() {
  if (number_ != 0) end();
}

TraceEntries Trace::end() {
  TraceEntries all;
  const std::lock_guard lock(trace_mutex);
  if (number_ == 0) return all;
  detail::watched.fetch_and(~detail::traced, std::memory_order_relaxed);
  current_trace.store(0, std::memory_order_release);
  all.began = began_;
  all.dropped = dropped_without_buffer.load(std::memory_order_relaxed);
  for (const Buffer* b = buffers.load(std::memory_order_acquire); b != nullptr; b = b->next) {
    if (b->trace.load(std::memory_order_acquire) != number_) continue;
    const std::size_t count = b->count.load(std::memory_order_acquire);
    all.dropped += b->dropped.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < count; ++i) {
      TraceEntry entry = b->entries[i];
      if (entry.kind != Traced::events) {
        entry.begin -= began_;
        entry.end -= began_;
      }
      all.entries.push_back(entry);
    }
  }
  number_ = 0;
  std::stable_sort(all.entries.begin(), all.entries.end(),
                   [](const TraceEntry& a, const TraceEntry& b) { return a.begin < b.begin; });
  return all;
}

namespace detail {

void trace_name() { my_name = nullptr; }

}  // namespace detail
}  // namespace hiplab::sync
