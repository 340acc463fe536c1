// Forms of the workspace that mlxcel 2200 rejected: one buffer per device behind a lock, which a
// lease holds until the matmul call has returned. They differ in what orders the next user's kernel
// after this one's, for the call only enqueues.
#pragma once

#include "backend/workspaces.h"
#include "sync/mutex.h"

namespace hiplab::forms {

// The buffer and its lock.
class LeasedWorkspace : public backend::Workspaces {
 public:
  backend::WorkspaceLease acquire(backend::hipStream_t stream, std::size_t required) final;
  void release(backend::hipStream_t) final {}

 protected:
  LeasedWorkspace(const backend::Context& context, int device)
      : context_(context), device_(device) {}

  // Before and after the call, with the lock held. `after` must not throw.
  virtual void before(backend::hipStream_t) {}
  virtual void after(backend::hipStream_t) noexcept {}

  const backend::Context context_;
  const int device_;

 private:
  class Lease;

  sync::Mutex mutex_{"workspace lease"};
  backend::OwnedMemory buffer_;  // mutex_
};

// LEASE_CALL: nothing orders the kernels, and so it is as wrong as no lock at all.
class CallLeasedWorkspace final : public LeasedWorkspace {
 public:
  CallLeasedWorkspace(const backend::Context& context, int device)
      : LeasedWorkspace(context, device) {}
};

// LEASE_SYNC: the host waits for the stream inside the lease. Right, but it serializes GEMMs, and
// waiting is illegal while the stream captures.
class SyncLeasedWorkspace final : public LeasedWorkspace {
 public:
  SyncLeasedWorkspace(const backend::Context& context, int device)
      : LeasedWorkspace(context, device) {}

 private:
  void after(backend::hipStream_t stream) noexcept override;
};

// EVENT_HANDOFF: the next user's stream waits for the event that the last one recorded. Right, but
// it serializes GEMMs on the device, and ties the streams of unrelated workers together, captures
// included.
class HandedOffWorkspace final : public LeasedWorkspace {
 public:
  HandedOffWorkspace(const backend::Context& context, int device)
      : LeasedWorkspace(context, device) {}

 private:
  void before(backend::hipStream_t stream) override;
  void after(backend::hipStream_t stream) noexcept override;

  backend::OwnedEvent last_use_;  // under the lease
};

}  // namespace hiplab::forms
