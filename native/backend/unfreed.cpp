#include "backend/unfreed.h"

namespace hiplab::backend {

void Unfreed::free(const Table& api) {
  if (workspace_) {
    // Before the temporaries, of which none says whether it could be freed here.
    void* const memory = workspace_.release();
    if (!succeeded(api.hipFree(memory))) {
      workspace_ = OwnedMemory(api, memory);
      return;
    }
  }
  temporaries_.clear();
}

void Unfreed::wait_and_free(const Table& api) {
  if (stream_ && !succeeded(api.hipStreamSynchronize(*stream_))) return;
  free(api);
}

}  // namespace hiplab::backend
