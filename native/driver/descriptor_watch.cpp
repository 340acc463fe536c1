#include "driver/descriptor_watch.h"

namespace hiplab::driver {

DescriptorWatch& DescriptorWatch::get() {
  static auto* const leaked = new DescriptorWatch;
  return *leaked;
}

DescriptorWatch::Entry* DescriptorWatch::find(const void* handle) {
  constexpr std::size_t kLongestSearch = 64;
  // Objects of one size lie side by side, so that a multiplication spreads their addresses.
  const std::size_t home = (reinterpret_cast<std::uintptr_t>(handle) * 0x9e3779b97f4a7c15ULL) >> 32;
  for (std::size_t i = 0; i < kLongestSearch; ++i) {
    Entry& entry = entries_[(home + i) % kEntries];
    const void* known = entry.handle.load(std::memory_order_relaxed);
    if (known == nullptr &&
        entry.handle.compare_exchange_strong(known, handle, std::memory_order_relaxed)) {
      return &entry;
    }
    if (known == handle) return &entry;
  }
  return nullptr;
}

void DescriptorWatch::made(const void* handle) {
  Entry* const known = find(handle);
  if (known == nullptr) return;
  known->destroyed.store(false, std::memory_order_relaxed);
  known->made.store(true, std::memory_order_relaxed);
}

bool DescriptorWatch::destroyed(const void* handle) {
  Entry* const known = handle == nullptr ? nullptr : find(handle);
  if (known == nullptr) return false;
  known->destructions.fetch_add(1, std::memory_order_relaxed);
  return !known->destroyed.exchange(true, std::memory_order_relaxed);
}

void DescriptorWatch::not_destroyed(const void* handle) {
  Entry* const known = find(handle);
  if (known == nullptr) return;
  known->destructions.fetch_sub(1, std::memory_order_relaxed);
  known->destroyed.store(false, std::memory_order_relaxed);
}

DescriptorWatch::Call::Call(const std::array<const void*, kHandles>& handles) {
  DescriptorWatch& watch = get();
  for (std::size_t i = 0; i < kHandles; ++i) {
    Entry* const known = handles[i] == nullptr ? nullptr : watch.find(handles[i]);
    known_[i] = known;
    // What a form reads out of a pipe that has been freed may be anything: null, or no handle.
    began_destroyed_ |= i == 0 && handles[i] == nullptr;
    if (known == nullptr) continue;
    began_destroyed_ |= i == 0 && !known->made.load(std::memory_order_relaxed);
    destructions_[i] = known->destructions.load(std::memory_order_relaxed);
    began_destroyed_ |= known->destroyed.load(std::memory_order_relaxed);
  }
  if (began_destroyed_) watch.destroyed_.fetch_add(1, std::memory_order_relaxed);
  if (known_[0] != nullptr && known_[0]->inside.fetch_add(1, std::memory_order_relaxed) > 0) {
    watch.two_threads_.fetch_add(1, std::memory_order_relaxed);
  }
}

DescriptorWatch::Call::~Call() {
  bool destroyed = false;
  for (std::size_t i = 0; i < kHandles; ++i) {
    if (known_[i] == nullptr) continue;
    destroyed |= known_[i]->destructions.load(std::memory_order_relaxed) != destructions_[i];
  }
  if (known_[0] != nullptr) known_[0]->inside.fetch_sub(1, std::memory_order_relaxed);
  if (destroyed && !began_destroyed_) {
    get().destroyed_during_.fetch_add(1, std::memory_order_relaxed);
  }
}

void DescriptorWatch::add_counts(std::map<std::string, std::int64_t>& counts) const {
  counts["descriptor.destroyed"] = destroyed_.load(std::memory_order_relaxed);
  counts["descriptor.destroyed-during"] = destroyed_during_.load(std::memory_order_relaxed);
  counts["descriptor.two-threads"] = two_threads_.load(std::memory_order_relaxed);
}

}  // namespace hiplab::driver
