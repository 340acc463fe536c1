// What a device keeps for one stream from one clear to the next: its workspace's release, what must
// live until the stream is done, its last error.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "backend/context.h"
#include "backend/unfreed.h"
#include "backend/workspaces.h"
#include "sync/mutex.h"

namespace hiplab::backend {

// Thread-safe: a stream may be fed by the encoding thread and by a host callback.
class Encoder {
 public:
  // The stream and `workspaces` must outlive it.
  Encoder(const Context& context, int device, hipStream_t stream, Workspaces& workspaces);

  // Waits for the stream, then frees temporaries and the workspace. Under a relaxed capture mode:
  // elsewhere a capture may be going on. What it cannot free, inside a host callback for example,
  // goes to on_end(), and so does all of it, without a wait, on another thread than the one that
  // called that. A wait that fails is recorded through Context::errors, which looks this device and
  // its encoders up: no lock of either may be held.
  ~Encoder();
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  hipStream_t stream() const { return stream_; }

  // This encoder is being taken out of its registry: takes the stream's buffer over, so that
  // whoever uses the stream next gets another one. Waits for nothing.
  void retire();

  // To be called by the thread that takes this encoder out of its registry: it alone may wait for
  // the stream. `ended` is called at the end of the destructor, when the stream is not touched any
  // more, with what was not freed. May not throw.
  void on_end(std::function<void(Unfreed)> ended);

  // Keeps `temporary` alive until the stream has been waited for.
  void keep(std::shared_ptr<const void> temporary);

  // What is kept so far: the caller frees it after it has waited for the stream.
  std::vector<std::shared_ptr<const void>> take_temporaries();

  void record_error(const std::string& what);
  std::string last_error() const;  // empty when there was none

 private:
  // Whether the stream has been waited for.
  bool wait_for_stream();

  const Context context_;
  const int device_;
  const hipStream_t stream_;
  Workspaces& workspaces_;
  OwnedMemory workspace_;               // after retire()
  std::function<void(Unfreed)> ended_;  // set before it is taken out of its registry
  std::thread::id ender_;               // set with it
  mutable sync::Mutex mutex_{"encoder"};
  std::vector<std::shared_ptr<const void>> temporaries_;  // mutex_
  std::string last_error_;                                // mutex_
};

}  // namespace hiplab::backend
