// A stream of one device: work enqueued on it runs in order and asynchronously.
#pragma once

#include <memory>
#include <string>

#include "backend/context.h"
#include "backend/device.h"
#include "backend/owned.h"

namespace hiplab::backend {

// Calls may come from several threads as HIP allows it; destroying it must be the last one.
class CommandStream {
 public:
  // Creates a non-blocking stream on the device, which must outlive it.
  CommandStream(const Context& context, Device& device);

  // Waits for the stream, releases its workspace, then destroys it.
  ~CommandStream();
  CommandStream(const CommandStream&) = delete;
  CommandStream& operator=(const CommandStream&) = delete;

  hipStream_t get() const { return stream_.get(); }
  int device() const { return device_.index(); }

  // Waits, then lets go of what keep() was given before.
  void synchronize() const;

  // Keeps `temporary` alive until the stream has been waited for.
  void keep(std::shared_ptr<const void> temporary) const;

  // The last error of work on this stream; empty when there was none.
  std::string last_error() const;

  bool idle() const;

 private:
  Where where() const { return {device_.index(), stream_.get()}; }

  const Context context_;
  Device& device_;
  OwnedStream stream_;
};

}  // namespace hiplab::backend
