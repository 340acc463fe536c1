// hiplab.h: disposable streams.
#include <sstream>

#include "bindings/checks.h"
#include "bindings/hiplab.h"

namespace hiplab::bindings {
namespace {

StreamRef& tracked(StreamRef* stream) {
  StreamRef& s = required(stream, "stream");
  if (s.own) throw Error("the stream is not the tracker's: pass one of acquireStream");
  return s;
}

}  // namespace

StreamRef* acquireStream(BackendRef* backend, int device) {
  BackendRef& ref = required(backend, "backend");
  auto* const stream = &ref.backend->tracker(device).acquire();
  return new StreamRef{&ref, Use(ref.streams), nullptr, stream};
}

void releaseStream(StreamRef* stream) {
  StreamRef& s = tracked(stream);
  s.capture.reset();
  s.owner->backend->tracker(s.stream->device()).release(*s.stream);
  delete stream;
}

void abandonStream(StreamRef* stream, BufferRef* scratch) {
  StreamRef& s = tracked(stream);
  backend::Scratch pinned;
  if (scratch != nullptr) {
    require_same_device(s, *scratch, "scratch");
    pinned.bytes = scratch->memory->bytes();
    // A new handle: lists of arguments that hold the old one see that the buffer has gone.
    pinned.memory = std::make_shared<backend::DeviceMemory>(std::move(*scratch->memory));
    delete scratch;
  }
  s.capture.reset();
  std::unique_ptr<backend::Event> done;
  try {
    done = s.owner->backend->event(s.stream->device(), false);
    done->record(*s.stream);
  } catch (const Error&) {
    // Without a done event the callback alone tells: see StreamTracker::abandon.
  }
  s.owner->backend->tracker(s.stream->device())
      .abandon(*s.stream, std::move(pinned), std::move(done));
  delete stream;
}

std::string trackerState(BackendRef* backend, int device) {
  const backend::TrackerState state = required(backend, "backend").backend->tracker(device).state();
  std::ostringstream out;
  out << "owned=" << state.owned << "\npooled=" << state.pooled << "\nacquired=" << state.acquired
      << "\ndraining=" << state.draining << "\npinnedBytes=" << state.pinned_bytes << '\n';
  return out.str();
}

}  // namespace hiplab::bindings
