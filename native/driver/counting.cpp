#include "driver/counting.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>

#include "driver/error.h"
#include "driver/functions.h"

namespace hiplab::driver {
namespace {

// C functions carry no state, so each wrapped table has a slot known at compile time.
constexpr std::size_t kSlots = 4;

struct Slot {
  const Table* inner = nullptr;  // written once, before the wrapper is handed out
  Table wrapper;
  std::array<std::atomic<std::int64_t>, kFunctions> calls{};
};
constinit std::array<Slot, kSlots> slots;
constinit std::mutex slots_mutex;

// Relaxed: a count orders nothing, so that it neither hides nor makes a race.
template <std::size_t S>
void tally(Function function) {
  slots[S].calls[index_of(function)].fetch_add(1, std::memory_order_relaxed);
}

template <std::size_t S>
struct Counted {
#define HIPLAB_COUNTED(ret, name, params, args) \
  static ret name params {                      \
    tally<S>(Function::name);                   \
    return slots[S].inner->name args;           \
  }
  HIPLAB_DRIVER_FUNCTIONS(HIPLAB_COUNTED)
#undef HIPLAB_COUNTED

  static void wrap(const Table& inner) {
    slots[S].inner = &inner;
#define HIPLAB_WRAP(ret, name, params, args) \
  if (inner.name != nullptr) slots[S].wrapper.name = &Counted::name;
    HIPLAB_DRIVER_FUNCTIONS(HIPLAB_WRAP)
#undef HIPLAB_WRAP
  }
};

constexpr std::array<void (*)(const Table&), kSlots> kWrap = {Counted<0>::wrap, Counted<1>::wrap,
                                                              Counted<2>::wrap, Counted<3>::wrap};

}  // namespace

const Table& count_calls(const Table& inner) {
  std::lock_guard lock(slots_mutex);
  for (std::size_t i = 0; i < kSlots; ++i) {
    if (slots[i].inner == &inner) return slots[i].wrapper;
    if (slots[i].inner == nullptr) {
      kWrap[i](inner);
      return slots[i].wrapper;
    }
  }
  throw Error("cannot count the calls of a fifth driver table: at most 4 in one process");
}

std::map<std::string, std::int64_t> counted_calls() {
  std::map<std::string, std::int64_t> counts;
  std::lock_guard lock(slots_mutex);
  for (const Slot& slot : slots) {
    for (std::size_t i = 0; i < kFunctions; ++i) {
      const std::int64_t calls = slot.calls[i].load(std::memory_order_relaxed);
      if (calls != 0) counts[kFunctionNames[i]] += calls;
    }
  }
  return counts;
}

}  // namespace hiplab::driver
