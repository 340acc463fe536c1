// The device memory of the software device: which addresses are whose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <shared_mutex>
#include <vector>

#include "driver/rocm_types.h"

namespace hiplab::driver::host {

// Thread-safe. Blocks are aligned to 256 bytes, as hipMalloc's are.
class Memory {
 public:
  Memory(int devices, std::size_t bytes_per_device);

  // *out is null for 0 bytes. hipErrorOutOfMemory when the device has not that much left.
  rocm::hipError_t allocate(int device, std::size_t bytes, void** out);

  // Freeing is in two steps with a wait for the device between them: claim() makes the block
  // invalid for everybody else, so that of two frees of one block one is an error.
  // Returns the device of the block, or -1 when `ptr` is not the start of a live block.
  int claim(void* ptr);
  void release(void* ptr);

  // The device whose block holds [ptr, ptr + bytes) wholly, or -1.
  int device_of(const void* ptr, std::size_t bytes) const;
  // Whether any byte of ptr's block is device memory: tells host from device addresses.
  bool is_device(const void* ptr) const { return device_of(ptr, 0) >= 0; }

  std::size_t total(int device) const;
  std::size_t free_bytes(int device) const;
  std::int64_t blocks() const;
  std::int64_t bytes() const;

 private:
  struct Block {
    std::size_t bytes;
    int device;
    bool claimed;
  };
  mutable std::shared_mutex mutex_;
  std::map<std::uintptr_t, Block> blocks_;
  std::vector<std::size_t> used_;
  const std::size_t bytes_per_device_;
};

}  // namespace hiplab::driver::host
