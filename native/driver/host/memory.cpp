#include "driver/host/memory.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>

#include "driver/error.h"

namespace hiplab::driver::host {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

namespace {
constexpr std::size_t kAlignment = 256;
}

std::size_t device_bytes(const char* text, int devices) {
  if (text == nullptr || *text == '\0') {
    const auto pages = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES));
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
    return pages * page / 2 / static_cast<std::size_t>(devices);
  }
  char* end = nullptr;
  errno = 0;
  const unsigned long long bytes = std::strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || errno == ERANGE || bytes == 0) {
    throw Error(std::string("HIPLAB_HOST_MEMORY_BYTES is \"") + text +
                "\": it is the memory of each software device in bytes, a number greater than 0; "
                "unset it to take half of this machine's memory");
  }
  return static_cast<std::size_t>(bytes);
}

Memory::Memory(int devices, std::size_t bytes_per_device)
    : pools_(static_cast<std::size_t>(devices)),
      used_(static_cast<std::size_t>(devices), 0),
      bytes_per_device_(bytes_per_device) {}

hipError_t Memory::add(int device, std::size_t bytes, void** out) {
  *out = nullptr;
  if (bytes == 0) return hipSuccess;
  if (bytes > bytes_per_device_ - used(device)) return hipErrorOutOfMemory;
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  void* ptr = std::aligned_alloc(kAlignment, rounded);
  if (ptr == nullptr) return hipErrorOutOfMemory;
  blocks_[reinterpret_cast<std::uintptr_t>(ptr)] = {bytes, device, State::live};
  used(device) += bytes;
  *out = ptr;
  return hipSuccess;
}

hipError_t Memory::allocate(int device, std::size_t bytes, void** out) {
  const std::unique_lock lock(mutex_);
  const hipError_t added = add(device, bytes, out);
  if (added != hipErrorOutOfMemory || pools_[device].empty()) return added;
  empty_pool(device);
  return add(device, bytes, out);
}

hipError_t Memory::allocate_host(std::size_t bytes, void** out) {
  const std::unique_lock lock(mutex_);
  return add(kHost, bytes, out);
}

hipError_t Memory::allocate_pooled(int device, std::size_t bytes, void** out) {
  {
    const std::unique_lock lock(mutex_);
    auto& pool = pools_[device];
    const auto it = pool.find(bytes);
    if (it != pool.end()) {
      blocks_.at(it->second).state = State::live;
      *out = reinterpret_cast<void*>(it->second);
      pool.erase(it);
      return hipSuccess;
    }
  }
  return allocate(device, bytes, out);
}

int Memory::claim(void* ptr) {
  const std::unique_lock lock(mutex_);
  auto it = blocks_.find(reinterpret_cast<std::uintptr_t>(ptr));
  if (it == blocks_.end() || it->second.state != State::live || it->second.device == kHost) {
    return -1;
  }
  it->second.state = State::claimed;
  return it->second.device;
}

bool Memory::claim_host(void* ptr) {
  const std::unique_lock lock(mutex_);
  auto it = blocks_.find(reinterpret_cast<std::uintptr_t>(ptr));
  if (it == blocks_.end() || it->second.state != State::live || it->second.device != kHost) {
    return false;
  }
  it->second.state = State::claimed;
  return true;
}

void Memory::unclaim(void* ptr) {
  const std::unique_lock lock(mutex_);
  blocks_.at(reinterpret_cast<std::uintptr_t>(ptr)).state = State::live;
}

void Memory::remove(std::map<std::uintptr_t, Block>::iterator it) {
  used(it->second.device) -= it->second.bytes;
  quarantine_.add(reinterpret_cast<void*>(it->first), it->second.bytes);
  blocks_.erase(it);
}

void Memory::release(void* ptr) {
  const std::unique_lock lock(mutex_);
  remove(blocks_.find(reinterpret_cast<std::uintptr_t>(ptr)));
}

void Memory::pool(void* ptr) {
  const std::unique_lock lock(mutex_);
  const auto address = reinterpret_cast<std::uintptr_t>(ptr);
  Block& block = blocks_.at(address);
  block.state = State::pooled;
  pools_[block.device].emplace(block.bytes, address);
}

void Memory::empty_pool(int device) {
  for (const auto& [bytes, address] : pools_[device]) remove(blocks_.find(address));
  pools_[device].clear();
}

void Memory::trim(int device) {
  const std::unique_lock lock(mutex_);
  empty_pool(device);
}

const Memory::Block* Memory::find(const void* ptr, std::size_t bytes) const {
  const auto address = reinterpret_cast<std::uintptr_t>(ptr);
  auto it = blocks_.upper_bound(address);
  if (it == blocks_.begin()) return nullptr;
  --it;
  const Block& block = it->second;
  const std::size_t offset = address - it->first;
  return offset >= block.bytes || bytes > block.bytes - offset ? nullptr : &block;
}

int Memory::device_of(const void* ptr, std::size_t bytes) const {
  const std::shared_lock lock(mutex_);
  const Block* block = find(ptr, bytes);
  return block == nullptr || block->state != State::live || block->device == kHost ? -1
                                                                                   : block->device;
}

bool Memory::is_pinned(const void* ptr, std::size_t bytes) const {
  const std::shared_lock lock(mutex_);
  const Block* block = find(ptr, bytes);
  return block != nullptr && block->state == State::live && block->device == kHost;
}

bool Memory::mapped(const void* ptr, std::size_t bytes) const {
  const std::shared_lock lock(mutex_);
  return find(ptr, bytes) != nullptr;
}

std::size_t Memory::total(int) const { return bytes_per_device_; }

std::size_t Memory::free_bytes(int device) const {
  const std::shared_lock lock(mutex_);
  return bytes_per_device_ - used_[device];
}

std::int64_t Memory::count(bool (*fits)(const Block&)) const {
  const std::shared_lock lock(mutex_);
  return std::count_if(blocks_.begin(), blocks_.end(),
                       [&](const auto& b) { return fits(b.second); });
}

std::int64_t Memory::blocks() const {
  return count([](const Block& b) { return b.device != kHost && b.state != State::pooled; });
}

std::int64_t Memory::host_blocks() const {
  return count([](const Block& b) { return b.device == kHost; });
}

std::int64_t Memory::pool_blocks() const {
  return count([](const Block& b) { return b.state == State::pooled; });
}

std::int64_t Memory::bytes() const {
  const std::shared_lock lock(mutex_);
  std::int64_t sum = 0;
  for (const auto& [address, block] : blocks_) {
    if (block.device != kHost && block.state != State::pooled) {
      sum += static_cast<std::int64_t>(block.bytes);
    }
  }
  return sum;
}

std::int64_t Memory::host_bytes() const {
  const std::shared_lock lock(mutex_);
  return static_cast<std::int64_t>(host_used_);
}

}  // namespace hiplab::driver::host
