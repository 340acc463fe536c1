#include "driver/event_runs.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>

#include "driver/host/machine.h"
#include "driver/stream_numbers.h"

namespace hiplab::driver {
namespace {

constinit std::atomic<bool> bracket_all{false};
// The provider whose events they are. A process has one whose work is bracketed.
constinit std::atomic<const Table*> event_table{nullptr};

// Creating and destroying is not to spoil a capture of another stream (cudaStreamCaptureMode's
// rules, which HIP took over).
class Relaxed {
 public:
  explicit Relaxed(const Table& table) : table_(table) { exchange(); }
  ~Relaxed() { exchange(); }
  Relaxed(const Relaxed&) = delete;
  Relaxed& operator=(const Relaxed&) = delete;

 private:
  void exchange() {
    if (table_.hipThreadExchangeStreamCaptureMode != nullptr) {
      table_.hipThreadExchangeStreamCaptureMode(&mode_);
    }
  }

  const Table& table_;
  hipStreamCaptureMode mode_ = hipStreamCaptureModeRelaxed;
};

bool may_capture(const Table& table, hipStream_t stream) {
  if (stream == nullptr) return true;  // asking it is an error while another one captures
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  unsigned long long id = 0;
  return table.hipStreamGetCaptureInfo == nullptr ||
         table.hipStreamGetCaptureInfo(stream, &status, &id) != hipSuccess ||
         status != hipStreamCaptureStatusNone;
}

// Its time on the host's clock is that when it was seen.
struct Base {
  hipEvent_t event = nullptr;
  std::int64_t at = 0;
};

std::optional<Base> base_of(const Table& table, int device) {
  Base base;
  if (table.hipSetDevice(device) != hipSuccess ||
      table.hipEventCreateWithFlags(&base.event, hipEventDefault) != hipSuccess) {
    return {};
  }
  if (table.hipEventRecord(base.event, nullptr) != hipSuccess ||
      table.hipEventSynchronize(base.event) != hipSuccess) {
    table.hipEventDestroy(base.event);
    return {};
  }
  base.at = sync::trace_clock();
  return base;
}

// Nanoseconds of the host's clock.
std::optional<std::int64_t> time_of(const Table& table, hipEvent_t event, const Base& base) {
  float millis = 0;
  if (table.hipEventElapsedTime(&millis, event, base.event) != hipSuccess) return {};
  return base.at - static_cast<std::int64_t>(static_cast<double>(millis) * 1e6);
}

}  // namespace

BracketAllWork::BracketAllWork() noexcept { bracket_all.store(true, std::memory_order_relaxed); }

BracketAllWork::~BracketAllWork() { bracket_all.store(false, std::memory_order_relaxed); }

bool brackets_work() noexcept {
  return bracket_all.load(std::memory_order_relaxed) || !host::machine_is_open();
}

EventBracket::EventBracket(const Table& table, hipStream_t stream,
                           const sync::TracedCall& call) noexcept
    : table_(table), stream_(stream), call_(call) {
  if (may_capture(table, stream)) return;
  const Relaxed relaxed(table);
  if (table.hipEventCreateWithFlags(&before_, hipEventDefault) != hipSuccess) {
    before_ = nullptr;
    return;
  }
  if (table.hipEventCreateWithFlags(&after_, hipEventDefault) != hipSuccess ||
      table.hipEventRecord(before_, stream) != hipSuccess) {
    table.hipEventDestroy(before_);
    if (after_ != nullptr) table.hipEventDestroy(after_);
    before_ = after_ = nullptr;
  }
}

EventBracket::~EventBracket() {
  if (before_ == nullptr) return;
  const bool recorded = table_.hipEventRecord(after_, stream_) == hipSuccess;
  event_table.store(&table_, std::memory_order_release);
  if (recorded && sync::note_events(call_, before_, after_)) return;
  const Relaxed relaxed(table_);
  table_.hipEventDestroy(before_);
  table_.hipEventDestroy(after_);
}

void resolve_events(sync::TraceEntries& all) {
  const Table* const table = event_table.load(std::memory_order_acquire);
  if (table == nullptr) return;
  const Relaxed relaxed(*table);
  int current = 0;
  table->hipGetDevice(&current);
  std::map<int, std::optional<Base>> bases;
  std::erase_if(all.entries, [&](sync::TraceEntry& entry) {
    if (entry.kind != sync::Traced::events) return false;
    const auto before = reinterpret_cast<hipEvent_t>(entry.begin);
    const auto after = reinterpret_cast<hipEvent_t>(entry.end);
    const int device = stream_device(entry.stream);
    if (!bases.contains(device)) bases[device] = base_of(*table, device);
    const std::optional<Base>& base = bases[device];
    std::optional<std::int64_t> begin;
    std::optional<std::int64_t> end;
    if (base && table->hipEventQuery(after) == hipSuccess) {
      begin = time_of(*table, before, *base);
      end = time_of(*table, after, *base);
    }
    table->hipEventDestroy(before);
    table->hipEventDestroy(after);
    if (!begin || !end) {
      ++all.dropped;
      return true;
    }
    entry.kind = sync::Traced::run;
    entry.begin = *begin - all.began;
    entry.end = *end - all.began;
    return false;
  });
  for (const auto& [device, base] : bases) {
    if (base) table->hipEventDestroy(base->event);
  }
  table->hipSetDevice(current);
  std::stable_sort(
      all.entries.begin(), all.entries.end(),
      [](const sync::TraceEntry& a, const sync::TraceEntry& b) { return a.begin < b.begin; });
}

}  // namespace hiplab::driver
