// What an encoder keeps until its stream is done, and the way it is freed.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "backend/check.h"
#include "backend/owned.h"

namespace hiplab::backend {

// Not everywhere can it be freed: inside a host callback a wait for the callback's own stream, and
// hipFree, would wait for themselves (MIOpen 12265), and a wait for another stream may wait for
// what stands behind the callback. What is refused, or not tried there, stays for a later try.
//
// The capture mode must be relaxed wherever it waits or frees.
class Unfreed {
 public:
  Unfreed(hipStream_t stream, OwnedMemory workspace,
          std::vector<std::shared_ptr<const void>> temporaries)
      : stream_(stream), temporaries_(std::move(temporaries)), workspace_(std::move(workspace)) {}

  bool empty() const { return !workspace_ && temporaries_.empty(); }

  // To be waited for; none once it is closed.
  std::optional<hipStream_t> stream() const { return stream_; }
  void stream_closes() { stream_.reset(); }

  // Frees, once the stream has been waited for. What hipFree refuses is left.
  void free(const Table& api);

  // Waits for the stream, then frees; when it cannot be waited for, all is left.
  void wait_and_free(const Table& api);

 private:
  std::optional<hipStream_t> stream_;
  std::vector<std::shared_ptr<const void>> temporaries_;
  OwnedMemory workspace_;  // freed first: freeing waits for the device
};

}  // namespace hiplab::backend
