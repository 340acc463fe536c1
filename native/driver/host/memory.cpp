#include "driver/host/memory.h"

#include <cstdlib>
#include <mutex>

namespace hiplab::driver::host {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

namespace {
constexpr std::size_t kAlignment = 256;
}

Memory::Memory(int devices, std::size_t bytes_per_device)
    : used_(devices, 0), bytes_per_device_(bytes_per_device) {}

hipError_t Memory::allocate(int device, std::size_t bytes, void** out) {
  *out = nullptr;
  if (bytes == 0) return hipSuccess;
  std::unique_lock lock(mutex_);
  if (bytes > bytes_per_device_ - used_[device]) return hipErrorOutOfMemory;
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  void* ptr = std::aligned_alloc(kAlignment, rounded);
  if (ptr == nullptr) return hipErrorOutOfMemory;
  blocks_[reinterpret_cast<std::uintptr_t>(ptr)] = {bytes, device, false};
  used_[device] += bytes;
  *out = ptr;
  return hipSuccess;
}

int Memory::claim(void* ptr) {
  std::unique_lock lock(mutex_);
  auto it = blocks_.find(reinterpret_cast<std::uintptr_t>(ptr));
  if (it == blocks_.end() || it->second.claimed) return -1;
  it->second.claimed = true;
  return it->second.device;
}

void Memory::release(void* ptr) {
  std::unique_lock lock(mutex_);
  auto it = blocks_.find(reinterpret_cast<std::uintptr_t>(ptr));
  used_[it->second.device] -= it->second.bytes;
  blocks_.erase(it);
  std::free(ptr);
}

int Memory::device_of(const void* ptr, std::size_t bytes) const {
  const auto address = reinterpret_cast<std::uintptr_t>(ptr);
  std::shared_lock lock(mutex_);
  auto it = blocks_.upper_bound(address);
  if (it == blocks_.begin()) return -1;
  --it;
  const Block& block = it->second;
  const std::size_t offset = address - it->first;
  if (block.claimed || offset >= block.bytes || bytes > block.bytes - offset) return -1;
  return block.device;
}

std::size_t Memory::total(int) const { return bytes_per_device_; }

std::size_t Memory::free_bytes(int device) const {
  std::shared_lock lock(mutex_);
  return bytes_per_device_ - used_[device];
}

std::int64_t Memory::blocks() const {
  std::shared_lock lock(mutex_);
  return static_cast<std::int64_t>(blocks_.size());
}

std::int64_t Memory::bytes() const {
  std::shared_lock lock(mutex_);
  std::int64_t sum = 0;
  for (std::size_t used : used_) sum += static_cast<std::int64_t>(used);
  return sum;
}

}  // namespace hiplab::driver::host
