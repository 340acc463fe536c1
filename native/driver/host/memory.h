// The memory of the software device: which addresses are whose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

#include "driver/host/quarantine.h"
#include "driver/rocm_types.h"

namespace hiplab::driver::host {

// The bytes of each software device that a value of HIPLAB_HOST_MEMORY_BYTES asks for; unset
// (null): half of this machine's memory, shared by the devices, as the other half is the program's
// own. Throws hiplab::Error for what is no number of bytes.
std::size_t device_bytes(const char* hiplab_host_memory_bytes, int devices);

// Thread-safe. Blocks are aligned to 256 bytes, as hipMalloc's are.
class Memory {
 public:
  // Pinned host memory has the same limit as one device (assumed: on an APU both are one memory).
  Memory(int devices, std::size_t bytes_per_device);

  // *out is null for 0 bytes. hipErrorOutOfMemory when the device has not that much left, also
  // after its pool has been emptied.
  rocm::hipError_t allocate(int device, std::size_t bytes, void** out);
  // Pinned host memory.
  rocm::hipError_t allocate_host(std::size_t bytes, void** out);
  // Device memory, rather from the device's pool of blocks that hipFreeAsync returned.
  rocm::hipError_t allocate_pooled(int device, std::size_t bytes, void** out);

  // Freeing is in two steps with a wait for the device between them: claim() makes the block
  // invalid for everybody else, so that of two frees of one block one is an error.
  // Returns the device of the block, or -1 when `ptr` is not the start of a live block.
  int claim(void* ptr);
  bool claim_host(void* ptr);
  void unclaim(void* ptr);  // the free could not be made: the block is as it was
  void release(void* ptr);  // a claimed block, of a device or of the host
  void pool(void* ptr);     // a claimed block: back to its device's pool
  void trim(int device);    // empties the pool

  // The device whose live block holds [ptr, ptr + bytes) wholly, or -1.
  int device_of(const void* ptr, std::size_t bytes) const;
  // Whether ptr lies in a live block of a device: tells host from device addresses.
  bool is_device(const void* ptr) const { return device_of(ptr, 0) >= 0; }
  // Whether a live block of pinned host memory holds [ptr, ptr + bytes) wholly.
  bool is_pinned(const void* ptr, std::size_t bytes) const;
  // Whether a step may touch [ptr, ptr + bytes): a block that is not released holds it wholly.
  bool mapped(const void* ptr, std::size_t bytes) const;

  std::size_t total(int device) const;
  std::size_t free_bytes(int device) const;  // what the pool holds is in use, as HIP counts it
  std::int64_t blocks() const;
  std::int64_t bytes() const;
  std::int64_t host_blocks() const;
  std::int64_t host_bytes() const;
  std::int64_t pool_blocks() const;

 private:
  static constexpr int kHost = -2;  // in the place of a device's number
  enum class State { live, claimed, pooled };
  struct Block {
    std::size_t bytes;
    int device;
    State state;
  };
  const Block* find(const void* ptr, std::size_t bytes) const;
  rocm::hipError_t add(int device, std::size_t bytes, void** out);
  void remove(std::map<std::uintptr_t, Block>::iterator it);
  void empty_pool(int device);
  std::size_t& used(int device) { return device == kHost ? host_used_ : used_[device]; }
  std::int64_t count(bool (*fits)(const Block&)) const;

  mutable std::shared_mutex mutex_;
  std::map<std::uintptr_t, Block> blocks_;
  std::vector<std::multimap<std::size_t, std::uintptr_t>> pools_;  // by size
  std::vector<std::size_t> used_;
  std::size_t host_used_ = 0;
  Quarantine quarantine_;
  const std::size_t bytes_per_device_;
};

}  // namespace hiplab::driver::host
