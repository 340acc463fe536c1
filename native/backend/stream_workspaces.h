// One workspace per stream (mlxcel 2200): stream order protects reuse within a stream, and nothing
// protects it between streams, so two streams never share one.
#pragma once

#include <atomic>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "backend/workspaces.h"
#include "sync/mutex.h"

namespace hiplab::backend {

// A graph gets a buffer of its own: it may run beside other work of the stream that it was captured
// on, beside another graph of that stream, and after the stream has been destroyed.
class StreamWorkspaces final : public Workspaces {
 public:
  StreamWorkspaces(const Context& context, int device) : context_(context), device_(device) {}

  // Allocates exactly kMaxWorkspaceBytes the first time a stream needs any, so that a buffer never
  // grows and never moves while its stream lives. Throws when the stream is capturing and has none:
  // an allocation would end the capture. One lease of a stream at a time, until its call has
  // returned: a matmul enqueues several steps, and those of two threads that feed one stream (an
  // encoding thread and a host callback) must not mix in its buffer.
  WorkspaceLease acquire(hipStream_t stream, std::size_t required) override;

  // None while a lease of it is out: whoever holds that lease may hold another encoder than the one
  // that asks.
  OwnedMemory take(hipStream_t stream) override;

  // Synchronizes the stream and frees its buffer, so that a later stream with the same handle value
  // cannot inherit a buffer that is still being drained; nor a capture that was never ended.
  void release(hipStream_t stream) override;

  // Frees the spares.
  void trim() override;

  // Puts another buffer in the place of the stream's, if it has one, until the capture has ended: a
  // stream without a buffer stays so, and acquire() throws. Allocating before the capture begins
  // cannot end it, and ends no other thread's.
  void capture_begins(hipStream_t stream) override;
  std::shared_ptr<void> capture_ended(hipStream_t stream, bool graph) override;

 private:
  // What a capture has put in a stream's place.
  struct Captured {
    OwnedMemory streams_own;
    bool used = false;
  };

  // Throws when the stream, whose buffer is its own, has joined the capture of another one: the
  // graph would keep a buffer that the stream goes on using, and frees.
  void refuse_joined(hipStream_t stream, std::size_t required) const;  // mutex_ held

  // A stream's matmul is being enqueued.
  struct Enqueuing {
    sync::Mutex mutex{"stream enqueue"};  // before mutex_ where both are held
    std::atomic<bool> leased{false};      // set under mutex_
  };
  class Lease;

  std::shared_ptr<Enqueuing> enqueuing(hipStream_t stream);

  const Context context_;
  const int device_;
  sync::Mutex mutex_{"stream workspaces"};
  std::unordered_map<hipStream_t, OwnedMemory> buffers_;                   // mutex_
  std::unordered_map<hipStream_t, Captured> captured_;                     // mutex_
  std::unordered_map<hipStream_t, std::shared_ptr<Enqueuing>> enqueuing_;  // mutex_
  // mutex_; streams whose capture has begun: another stream may have joined it
  std::unordered_set<hipStream_t> open_captures_;
  // mutex_; left by captures whose graph does not use it: freeing waits for the device
  std::vector<OwnedMemory> spares_;
};

}  // namespace hiplab::backend
