// Blocks of device memory, and which of them hipBLASLt's matmuls were given as workspace (mlxcel
// 2200).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "driver/stream_order.h"

namespace hiplab::driver {

// A block that is allocated now.
struct WorkspaceBlock {
  std::size_t bytes = 0;
  int device = -1;     // not known
  bool given = false;  // to a matmul
  StreamOrder::Use last;
};

// Knows what passes through a watched table (driver/watching.h), and calls no driver. Its lock is
// held for look-ups and notes only: a watch that made threads wait would hide the races that it is
// there to see. Thread-safe.
class WorkspaceWatch {
 public:
  // Of the process, as its memory is; never destroyed, since matmuls may be called at exit.
  static WorkspaceWatch& get();

  // A block of that many bytes on the device; -1: not known.
  void allocated(const void* pointer, std::size_t bytes, int device);
  // A call that frees the block is about to be made: once it has returned, another thread may be
  // given the address. Pass what comes back to not_freed() if the call is refused; it is empty when
  // the block is not known.
  using Freed = std::map<std::uintptr_t, WorkspaceBlock>::node_type;
  Freed freed(const void* pointer);
  void not_freed(Freed block);

  // A matmul is about to be called.
  void matmul(const void* workspace, std::size_t bytes, rocm::hipStream_t stream);

  // Adds workspace.freed, .past-the-end, .two-streams and .blocks; see driver/watching.h.
  void add_counts(std::map<std::string, std::int64_t>& counts) const;

  // Calls `note(order)` under the lock, and returns what it returns.
  template <typename Note>
  auto noting(Note note) {
    const std::lock_guard lock(mutex_);
    return note(order_);
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::uintptr_t, WorkspaceBlock> blocks_;  // mutex_; by address
  StreamOrder order_;                                // mutex_
  std::int64_t freed_ = 0;                           // mutex_, as the rest
  std::int64_t past_the_end_ = 0;
  std::int64_t two_streams_ = 0;
  std::int64_t given_ = 0;
};

}  // namespace hiplab::driver
