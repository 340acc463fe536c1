// A disposable stream in the hands of one evaluation (MIOpen 12265).
#pragma once

#include <memory>

#include "backend/command_stream.h"
#include "backend/event.h"
#include "backend/patience.h"
#include "backend/stream_tracker.h"

namespace hiplab::backend {

// From acquire to release or abandon. One that ends in neither, as an exception came between, is
// abandoned: what was enqueued may be running. One thread at a time.
class Disposable {
 public:
  // `stream` is one of the tracker's that the caller has acquired. `stop`: to be recorded behind
  // the work, and again behind each later piece of it. `scratch`: what the work reads and writes.
  Disposable(StreamTracker& tracker, CommandStream& stream, std::unique_ptr<Event> stop,
             Scratch scratch)
      : tracker_(tracker), stream_(&stream), stop_(std::move(stop)), scratch_(std::move(scratch)) {}
  ~Disposable();
  Disposable(const Disposable&) = delete;
  Disposable& operator=(const Disposable&) = delete;

  const CommandStream& stream() const { return *stream_; }
  Event& stop() const { return *stop_; }

  // All work has ended in time: the scratch is the caller's again.
  Scratch release();

  // The work still runs, and `stop` was recorded behind all of it. Throws as the tracker does.
  void abandon();

 private:
  StreamTracker& tracker_;
  CommandStream* stream_;  // null once it has been given up
  std::unique_ptr<Event> stop_;
  Scratch scratch_;
};

// Waits until the event is done, which is looked at under a relaxed capture mode: the query must
// end no capture that another thread has open. False when patience was over first. Throws when the
// device is lost.
bool ends_within(const Table& api, const Event& event, const Patience& patience);

}  // namespace hiplab::backend
