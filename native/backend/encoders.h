// The encoders of one device, by stream. Looked up for every operation.
#pragma once

#include <memory>

#include "backend/encoder.h"

namespace hiplab::backend {

// Thread-safe unless the form says otherwise. Lock order: device map, then encoders.
class Encoders {
 public:
  virtual ~Encoders() = default;

  // The stream's encoder, made if there is none. It lives at least as long as the caller holds it.
  virtual std::shared_ptr<Encoder> get(hipStream_t stream) = 0;

  // The stream's encoder, or null.
  virtual std::shared_ptr<Encoder> find(hipStream_t stream) = 0;

  // The stream is about to be destroyed: its handle value may be used again. Waits for an encoder
  // of it that is being ended.
  virtual void drop(hipStream_t stream) = 0;

  // A capture is about to begin on the stream; it has ended, or did not begin. Between the two no
  // encoder of the stream is ended: that waits for the stream, and would end the capture. May nest.
  virtual void capture_begins(hipStream_t stream) {}
  virtual void capture_ended(hipStream_t stream) {}

  // The same around a call with which the stream may join another one's capture.
  virtual void join_begins(hipStream_t stream) {}
  virtual void join_ended(hipStream_t stream) {}

  // Ends all encoders but those whose stream is capturing, which waiting would invalidate. Each
  // waits for its stream, unless another thread is still enqueuing with it: that one ends it
  // without a wait. The streams stay usable: their next operation makes a new encoder. Then frees
  // what encoders left when they ended.
  virtual void clear() = 0;
};

// The stream may join a capture while this lives: the driver alone knows of it, and only
// afterwards.
class MayJoinCapture {
 public:
  MayJoinCapture(Encoders& encoders, hipStream_t stream) : encoders_(encoders), stream_(stream) {
    encoders_.join_begins(stream_);
  }
  ~MayJoinCapture() { encoders_.join_ended(stream_); }
  MayJoinCapture(const MayJoinCapture&) = delete;
  MayJoinCapture& operator=(const MayJoinCapture&) = delete;

 private:
  Encoders& encoders_;
  const hipStream_t stream_;
};

}  // namespace hiplab::backend
