#include "driver/faults.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <functional>
#include <mutex>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "driver/error.h"
#include "driver/fault_statuses.h"
#include "driver/functions.h"
#include "driver/listed.h"

namespace hiplab::driver {
namespace {

// An object whose release was failed.
struct Leaked {
  Function function;
  const void* object;
  std::function<void()> release;
};

// The process's one fault. The lock is held for a few instructions and never across a call.
class Injector {
 public:
  void arm(const Fault& fault, std::optional<Function> only) {
    const std::lock_guard lock(mutex_);
    if (armed_) {
      throw Error(
          "a fault is armed already, and a process has one at a time: close the backend that was "
          "opened with fail_call first (or call disarm_fault() after an arm_fault())");
    }
    fault_ = fault;
    only_ = only;
    report_ = {};
    armed_.store(true, std::memory_order_release);
  }

  FaultReport disarm() {
    const std::lock_guard lock(mutex_);
    armed_.store(false, std::memory_order_release);
    return std::exchange(report_, {});
  }

  FaultReport report() {
    const std::lock_guard lock(mutex_);
    return report_;
  }

  bool armed() const { return armed_.load(std::memory_order_acquire); }

  // The status that this call must return instead of being made, if it must.
  std::optional<int> asked(Function function) {
    const std::lock_guard lock(mutex_);
    if (!armed_ || (only_ && *only_ != function)) return std::nullopt;
    const std::int64_t call = ++report_.calls;
    const std::int64_t last = std::max(fault_.n, fault_.last);
    if (call < fault_.n || (call > last && !fault_.for_good)) return std::nullopt;
    const std::optional<int> status = status_of(function);
    if (call == fault_.n) {
      report_.function = function_name(function);
      report_.status = status.value_or(0);
    }
    if (!status) return std::nullopt;
    ++report_.injected;
    if (releases(function)) ++report_.failed_releases[function_name(function)];
    return status;
  }

  void leak(Leaked leaked) {
    const std::lock_guard lock(mutex_);
    leaked_.push_back(std::move(leaked));
    any_leaked_.store(true, std::memory_order_release);
  }

  // A later release of the same object went through: it is no longer leaked.
  void released(Function function, const void* object) {
    if (!any_leaked_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(mutex_);
    std::erase_if(leaked_, [&](const Leaked& one) {
      return one.function == function && one.object == object;
    });
  }

  std::vector<Leaked> take_leaked() {
    const std::lock_guard lock(mutex_);
    any_leaked_.store(false, std::memory_order_release);
    return std::exchange(leaked_, {});
  }

 private:
  std::optional<int> status_of(Function function) const {
    if (fault_.listed) {
      const auto statuses = statuses_of(function);
      if (*fault_.listed >= statuses.size()) return std::nullopt;
      return statuses[*fault_.listed];
    }
    if (only_) return fault_.status;
    return status_under(function, static_cast<hipError_t>(fault_.status));
  }

  std::mutex mutex_;
  std::atomic<bool> armed_{false};
  std::atomic<bool> any_leaked_{false};
  Fault fault_;
  std::optional<Function> only_;
  FaultReport report_;
  std::vector<Leaked> leaked_;
};

// Leaked: tables are called until the process has ended.
Injector& injector() {
  static auto* const shared = new Injector;
  return *shared;
}

// The object that a release names: its first argument, for a program through a pointer to it.
const void* object_of(hiprtcProgram* program) { return program == nullptr ? nullptr : *program; }
template <typename Handle, typename... Rest>
const void* object_of(Handle* handle, Rest...) {
  return handle;
}

// The same release again, later. hiprtcDestroyProgram takes a pointer to the caller's variable,
// which may be gone by then.
template <typename Destroy, typename... Args>
std::function<void()> again(Destroy destroy, Args... args) {
  return [=] { (void)destroy(args...); };
}
std::function<void()> again(hiprtcResult (*destroy)(hiprtcProgram*), hiprtcProgram* program) {
  return
      [destroy, copy = program == nullptr ? nullptr : *program]() mutable { (void)destroy(&copy); };
}

// A capture that has become invalid, or whose streams were not joined, is over once its end has
// said so, and gives no graph (HIP documentation): this one call is made, for that effect.
void end_capture_in_vain(const Table& table, hipStream_t stream, hipGraph_t* graph) {
  hipGraph_t dropped = nullptr;
  if (table.hipStreamEndCapture(stream, &dropped) == hipSuccess) table.hipGraphDestroy(dropped);
  if (graph != nullptr) *graph = nullptr;
}

template <Function F, typename Result, typename... Args>
Result call(const Table& table, Result (*inner)(Args...), std::type_identity_t<Args>... args) {
  if constexpr (returns_own_status(F)) {
    if (injector().armed()) {
      if (const std::optional<int> status = injector().asked(F)) {
        if constexpr (releases(F)) {
          injector().leak({F, object_of(args...), again(inner, args...)});
        }
        if constexpr (F == Function::hipStreamEndCapture) {
          if (*status == hipErrorStreamCaptureInvalidated ||
              *status == hipErrorStreamCaptureUnjoined) {
            end_capture_in_vain(table, args...);
          }
        }
        return static_cast<Result>(*status);
      }
    }
    if constexpr (releases(F)) {
      const void* const object = object_of(args...);
      const Result result = inner(args...);
      if (result == Result{}) injector().released(F, object);
      return result;
    }
  }
  return inner(args...);
}

// C functions carry no state, so each wrapped table has a slot known at compile time.
constexpr std::size_t kSlots = 4;

struct Slot {
  const Table* inner = nullptr;  // written once, before the wrapper is handed out
  Table wrapper;
};
constinit std::array<Slot, kSlots> slots;
constinit std::mutex slots_mutex;

// A list of arguments with one more in front.
#define HIPLAB_UNPACK(...) __VA_OPT__(, ) __VA_ARGS__

template <std::size_t S>
struct Faulty {
#define HIPLAB_FAULTY(ret, name, params, args)                                             \
  static ret name params {                                                                 \
    return call<Function::name>(*slots[S].inner, slots[S].inner->name HIPLAB_UNPACK args); \
  }
  HIPLAB_DRIVER_FUNCTIONS(HIPLAB_FAULTY)
#undef HIPLAB_FAULTY

  static void wrap(const Table& inner) {
    slots[S].inner = &inner;
#define HIPLAB_WRAP(ret, name, params, args) \
  if (inner.name != nullptr) slots[S].wrapper.name = &Faulty::name;
    HIPLAB_DRIVER_FUNCTIONS(HIPLAB_WRAP)
#undef HIPLAB_WRAP
  }
};

constexpr std::array<void (*)(const Table&), kSlots> kWrap = {Faulty<0>::wrap, Faulty<1>::wrap,
                                                              Faulty<2>::wrap, Faulty<3>::wrap};

template <typename Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

// The function whose calls alone are failed, if any.
std::optional<Function> checked_function(const Fault& fault) {
  if (fault.n < 1) {
    throw Error("call " + std::to_string(fault.n) + " cannot fail: calls are counted from 1");
  }
  if (!fault.listed && fault.status == 0) {
    throw Error("a fault with status 0 would be a success: name another status");
  }
  if (fault.function.empty()) return std::nullopt;
  const std::optional<Function> only = find_function(fault.function);
  if (!only || !returns_own_status(*only)) {
    throw Error("calls of \"" + fault.function +
                "\" cannot be failed: allowed are the functions of the driver table that return "
                "a status, such as hipMalloc");
  }
  const auto statuses = statuses_of(*only);
  if (!fault.listed &&
      std::find(statuses.begin(), statuses.end(), fault.status) == statuses.end()) {
    std::vector<std::string> allowed;
    for (const int status : statuses) allowed.push_back(status_text(*only, status));
    throw Error(fault.function + " does not return status " + std::to_string(fault.status) +
                ", allowed are " + hiplab::listed(allowed));
  }
  return only;
}

}  // namespace

const Table& inject_faults(const Table& inner) {
  const std::lock_guard lock(slots_mutex);
  for (std::size_t i = 0; i < kSlots; ++i) {
    if (slots[i].inner == &inner) return slots[i].wrapper;
    if (slots[i].inner == nullptr) {
      kWrap[i](inner);
      return slots[i].wrapper;
    }
  }
  throw Error("cannot inject faults into a fifth driver table: at most 4 in one process");
}

void check_fault(const Fault& fault) { (void)checked_function(fault); }

void arm_fault(const Fault& fault) { injector().arm(fault, checked_function(fault)); }

FaultReport disarm_fault() { return injector().disarm(); }

FaultReport fault_report() { return injector().report(); }

std::int64_t release_leaked() {
  std::vector<Leaked> all = injector().take_leaked();
  // Streams first: destroying one ends a capture that was left on it, under which HIP refuses to
  // free memory.
  std::stable_partition(all.begin(), all.end(), [](const Leaked& one) {
    return one.function == Function::hipStreamDestroy;
  });
  for (const Leaked& one : all) one.release();
  return static_cast<std::int64_t>(all.size());
}

Fault parse_fault(const std::string& text) {
  const Error wrong("fault \"" + text +
                    "\" is not \"[function#]n[+|-last]:status\": write 3:700, 17+:700 (for good), "
                    "hipMalloc#2:2 or hipMalloc#2-4:2");
  Fault fault;
  std::string_view rest = text;
  if (const auto hash = rest.find('#'); hash != rest.npos) {
    fault.function = rest.substr(0, hash);
    if (fault.function.empty()) throw wrong;
    rest.remove_prefix(hash + 1);
  }
  const auto colon = rest.find(':');
  if (colon == rest.npos || !read_number(rest.substr(colon + 1), fault.status)) throw wrong;
  rest = rest.substr(0, colon);
  fault.for_good = rest.ends_with('+');
  if (fault.for_good) rest.remove_suffix(1);
  if (const auto dash = rest.find('-'); dash != rest.npos && dash > 0) {
    if (!read_number(rest.substr(dash + 1), fault.last) || fault.for_good) throw wrong;
    rest = rest.substr(0, dash);
  }
  if (!read_number(rest, fault.n) || (fault.last != 0 && fault.last < fault.n)) throw wrong;
  return fault;
}

}  // namespace hiplab::driver
