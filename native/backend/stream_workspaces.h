// One workspace per stream (mlxcel 2200): stream order protects reuse within a stream, and nothing
// protects it between streams, so two streams never share one.
#pragma once

#include <unordered_map>

#include "backend/context.h"
#include "backend/owned.h"
#include "backend/workspaces.h"
#include "sync/mutex.h"

namespace hiplab::backend {

class StreamWorkspaces final : public Workspaces {
 public:
  StreamWorkspaces(const Context& context, int device) : context_(context), device_(device) {}

  // Allocates exactly kMaxWorkspaceBytes the first time a stream needs any, so that a buffer never
  // grows and never moves while its stream lives. Throws when the stream is capturing and has none:
  // an allocation would end the capture.
  Workspace acquire(hipStream_t stream, std::size_t required) override;

  OwnedMemory take(hipStream_t stream) override;

  // Synchronizes the stream and frees its buffer, so that a later stream with the same handle value
  // cannot inherit a buffer that is still being drained.
  void release(hipStream_t stream) override;

 private:
  const Context context_;
  const int device_;
  sync::Mutex mutex_{"stream workspaces"};
  std::unordered_map<hipStream_t, OwnedMemory> buffers_;
};

}  // namespace hiplab::backend
