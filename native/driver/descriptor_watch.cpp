#include "driver/descriptor_watch.h"

#include <utility>

namespace hiplab::driver {

DescriptorWatch& DescriptorWatch::get() {
  static auto* const leaked = new DescriptorWatch;
  return *leaked;
}

template <typename Note>
void DescriptorWatch::noting(const void* handle, Note note) {
  // Objects of one size lie side by side, so that a multiplication spreads their addresses.
  const auto mixed = reinterpret_cast<std::uintptr_t>(handle) * 0x9e3779b97f4a7c15ULL;
  Shard& shard = shards_[(mixed >> 32) % kShards];
  const std::lock_guard lock(shard.mutex);
  note(shard.known[handle]);
}

void DescriptorWatch::made(const void* handle) {
  noting(handle, [](Known& known) { known.destroyed = false; });
}

bool DescriptorWatch::destroyed(const void* handle) {
  bool lived = false;
  noting(handle, [&lived](Known& known) {
    lived = !std::exchange(known.destroyed, true);
    ++known.destructions;
  });
  return lived;
}

void DescriptorWatch::not_destroyed(const void* handle) {
  noting(handle, [](Known& known) {
    known.destroyed = false;
    --known.destructions;
  });
}

DescriptorWatch::Call::Call(const std::array<const void*, kHandles>& handles) : handles_(handles) {
  DescriptorWatch& watch = get();
  bool shared = false;
  for (std::size_t i = 0; i < kHandles; ++i) {
    if (handles_[i] == nullptr) continue;
    watch.noting(handles_[i], [&](Known& known) {
      began_destroyed_ |= known.destroyed;
      destructions_[i] = known.destructions;
      if (i == 0) shared = known.inside++ > 0;
    });
  }
  if (began_destroyed_) watch.destroyed_.fetch_add(1, std::memory_order_relaxed);
  if (shared) watch.two_threads_.fetch_add(1, std::memory_order_relaxed);
}

DescriptorWatch::Call::~Call() {
  DescriptorWatch& watch = get();
  bool destroyed = false;
  for (std::size_t i = 0; i < kHandles; ++i) {
    if (handles_[i] == nullptr) continue;
    watch.noting(handles_[i], [&](Known& known) {
      destroyed |= known.destructions != destructions_[i];
      if (i == 0) --known.inside;
    });
  }
  if (destroyed && !began_destroyed_) {
    watch.destroyed_during_.fetch_add(1, std::memory_order_relaxed);
  }
}

void DescriptorWatch::add_counts(std::map<std::string, std::int64_t>& counts) const {
  counts["descriptor.destroyed"] = destroyed_.load(std::memory_order_relaxed);
  counts["descriptor.destroyed-during"] = destroyed_during_.load(std::memory_order_relaxed);
  counts["descriptor.two-threads"] = two_threads_.load(std::memory_order_relaxed);
}

}  // namespace hiplab::driver
