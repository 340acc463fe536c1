// Scratch memory for hipBLASLt algorithms that ask for it (split-K partial sums).
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "backend/context.h"
#include "backend/owned.h"

namespace hiplab::backend {

// The cap on every heuristic preference (HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES), and so the
// most that an algorithm can ask for: 32 MiB, as mlxcel 2200 has it.
inline constexpr std::size_t kMaxWorkspaceBytes = std::size_t{32} << 20;

struct Workspace {
  void* pointer = nullptr;
  std::size_t bytes = 0;
};

// The right to use a workspace for one matmul: from acquire() until the call has returned. What the
// lease's owner has to do after the call, if anything, is done when the lease dies.
class WorkspaceLease {
 public:
  // Its destructor runs after the call, on the thread that made it, and must not throw.
  class AfterCall {
   public:
    virtual ~AfterCall() = default;
  };

  WorkspaceLease() = default;  // no workspace
  explicit WorkspaceLease(const Workspace& workspace,
                          std::unique_ptr<AfterCall> after_call = nullptr)
      : workspace_(workspace), after_call_(std::move(after_call)) {}
  void* pointer() const { return workspace_.pointer; }
  std::size_t bytes() const { return workspace_.bytes; }

 private:
  Workspace workspace_;
  std::unique_ptr<AfterCall> after_call_;
};

// The workspaces of one device. Thread-safe unless the form says otherwise.
class Workspaces {
 public:
  virtual ~Workspaces() = default;

  // Scratch of at least `required` bytes for the next matmul on `stream`. An empty lease when none
  // is required, and when it could not be allocated: the caller tells the two apart by `required`.
  // Throws when more is required than kMaxWorkspaceBytes, and when the stream is capturing and the
  // workspace would have to be allocated.
  virtual WorkspaceLease acquire(hipStream_t stream, std::size_t required) = 0;

  // Hands the stream's buffer over; the stream's next acquire() makes another one. Who takes it
  // frees it once the work queued on the stream is done. Waits for nothing. Null when the form
  // keeps no buffer for a stream, the stream has none, or it is capturing with it.
  virtual OwnedMemory take(hipStream_t) { return {}; }

  // The stream is about to be destroyed.
  virtual void release(hipStream_t stream) = 0;

  // Frees what is kept for later and belongs to no stream or graph. Waits for the device.
  virtual void trim() {}

  // A capture is about to begin on the stream, which is not capturing. Throws when its workspace
  // cannot be allocated.
  virtual void capture_begins(hipStream_t) {}

  // The capture has ended, or did not begin. `graph`: whether a graph came of it. What that graph
  // alone is to own: the workspace that the captured matmuls use; null when they use none, or when
  // it is not the graph's.
  virtual std::shared_ptr<void> capture_ended(hipStream_t, bool graph) { return nullptr; }
};

// Throws when `required` is more than kMaxWorkspaceBytes.
void check_workspace_bytes(std::size_t required);

// Throws, naming the bytes, when the stream is capturing: an allocation would end the capture.
void check_not_capturing(const Context& context, const Where& where, std::size_t required);

// Allocates kMaxWorkspaceBytes on `where.device`, and counts it. Null when there is not that much
// left. Throws as check_not_capturing does.
OwnedMemory allocate_workspace(const Context& context, const Where& where, std::size_t required);

}  // namespace hiplab::backend
