// Scratch memory for hipBLASLt algorithms that ask for it (split-K partial sums).
#pragma once

#include <cstddef>

#include "backend/owned.h"

namespace hiplab::backend {

// The cap on every heuristic preference (HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES), and so the
// most that an algorithm can ask for: 32 MiB, as mlxcel 2200 has it.
inline constexpr std::size_t kMaxWorkspaceBytes = std::size_t{32} << 20;

struct Workspace {
  void* pointer = nullptr;
  std::size_t bytes = 0;
};

// The workspaces of one device. Thread-safe unless the form says otherwise.
class Workspaces {
 public:
  virtual ~Workspaces() = default;

  // Scratch of at least `required` bytes for the next matmul on `stream`. {nullptr, 0} when none is
  // required, and when it could not be allocated: the caller tells the two apart by `required`.
  virtual Workspace acquire(hipStream_t stream, std::size_t required) = 0;

  // Hands the stream's buffer over; the stream's next acquire() makes another one. Who takes it
  // frees it once the work queued on the stream is done. Waits for nothing. Null when the form
  // keeps no buffer for a stream, or the stream has none.
  virtual OwnedMemory take(hipStream_t) { return {}; }

  // The stream is about to be destroyed.
  virtual void release(hipStream_t stream) = 0;
};

}  // namespace hiplab::backend
