#include "driver/stream_numbers.h"

#include <array>
#include <atomic>
#include <cstddef>

#include "sync/trace.h"

namespace hiplab::driver {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

namespace {

constexpr std::size_t kHandles = 1024;
constexpr std::size_t kDevicesOf = 4096;  // numbers whose device is remembered

// Slots are taken for good: a handle's address comes again, with another number.
struct Slot {
  std::atomic<hipStream_t> handle{nullptr};
  std::atomic<std::int32_t> number{sync::no_stream};
};
constinit std::array<Slot, kHandles> slots{};
constinit std::array<std::atomic<std::int16_t>, kDevicesOf> devices{};
constinit std::atomic<std::int32_t> last_stream{0};
constinit std::atomic<std::int32_t> last_branch{first_branch_number - 1};

constexpr std::int32_t kNone = 0;
thread_local std::int32_t creating = kNone;

// Null when the handle has none and none is left.
Slot* slot_of(hipStream_t stream, bool take) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(stream);
  const std::size_t first = (address >> 4) * 0x9E3779B97F4A7C15u >> 32;
  for (std::size_t i = 0; i < kHandles; ++i) {
    Slot& slot = slots[(first + i) % kHandles];
    hipStream_t there = slot.handle.load(std::memory_order_acquire);
    if (there == stream) return &slot;
    if (there != nullptr) continue;
    if (!take) return nullptr;
    if (slot.handle.compare_exchange_strong(there, stream) || there == stream) return &slot;
  }
  return nullptr;
}

}  // namespace

NewStreamNumber::NewStreamNumber() noexcept
    : number_(last_stream.fetch_add(1, std::memory_order_relaxed) + 1) {
  creating = number_;
}

NewStreamNumber::~NewStreamNumber() { creating = kNone; }

void NewStreamNumber::give_to(hipStream_t stream, int device) noexcept {
  if (static_cast<std::size_t>(number_) < kDevicesOf) {
    devices[static_cast<std::size_t>(number_)].store(static_cast<std::int16_t>(device),
                                                     std::memory_order_relaxed);
  }
  if (Slot* const slot = slot_of(stream, true)) {
    slot->number.store(number_, std::memory_order_release);
  }
}

std::int32_t NewStreamNumber::current() noexcept {
  return creating != kNone ? creating : last_branch.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::int32_t stream_number(hipStream_t stream, int device) noexcept {
  if (stream == nullptr) return -device;
  const Slot* const slot = slot_of(stream, false);
  return slot == nullptr ? sync::no_stream : slot->number.load(std::memory_order_acquire);
}

int stream_device(std::int32_t number) {
  if (number <= 0) return number == sync::no_stream ? 0 : -number;
  if (static_cast<std::size_t>(number) >= kDevicesOf) return 0;
  return devices[static_cast<std::size_t>(number)].load(std::memory_order_relaxed);
}

std::string stream_name(std::int32_t number) {
  if (number == sync::no_stream) return "unknown stream";
  if (number >= first_branch_number) {
    return "graph branch " + std::to_string(number - first_branch_number + 1);
  }
  const int device = stream_device(number);
  const std::string name = number <= 0 ? "null stream" : "stream " + std::to_string(number);
  return device == 0 ? name : name + " (device " + std::to_string(device) + ")";
}

}  // namespace hiplab::driver
