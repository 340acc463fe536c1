// hiplab.h: disposable streams.
#include <memory>
#include <mutex>
#include <sstream>
#include <utility>

#include "backend/backlog.h"
#include "backend/tracker_slots.h"
#include "bindings/checks.h"
#include "bindings/hiplab.h"

namespace hiplab::bindings {
namespace {

StreamRef& tracked(StreamRef* stream) {
  StreamRef& s = required(stream, "stream");
  if (s.own) throw Error("the stream is not the tracker's: pass one of acquireStream");
  return s;
}

// A capture is ended by whoever began it. Here for every form of the tracker, and before anything
// is taken from the references, which stay valid.
void refuse_capture(StreamRef& s, const char* what) {
  const std::lock_guard lock(s.capture_mutex);
  backend::refuse_capturing(s.owner->backend->api(), *s.stream, what);
}

}  // namespace

StreamRef* acquireStream(BackendRef* backend, int device) {
  BackendRef& ref = required(backend, "backend");
  auto* const stream = &ref.backend->tracker(device).acquire();
  return new StreamRef{&ref, Use(ref.streams), nullptr, stream};
}

void releaseStream(StreamRef* stream) {
  StreamRef& s = tracked(stream);
  refuse_capture(s, "released");
  s.owner->backend->tracker(s.stream->device()).release(*s.stream);
  delete stream;
}

void abandonStream(StreamRef* stream, BufferRef* scratch) {
  StreamRef& s = tracked(stream);
  if (scratch != nullptr) require_same_device(s, *scratch, "scratch");
  refuse_capture(s, "abandoned");
  std::unique_ptr<backend::Event> done;
  try {
    done = s.owner->backend->event(s.stream->device(), false);
    done->record(*s.stream);
  } catch (const Error&) {
    // Without a done event the callback alone tells: see StreamTracker::abandon.
  }
  // A new handle: lists of arguments that hold the old one see that the buffer has gone.
  std::shared_ptr<backend::DeviceMemory> memory;
  std::size_t bytes = 0;
  if (scratch != nullptr) {
    memory = std::make_shared<backend::DeviceMemory>(std::move(*scratch->memory));
    bytes = memory->bytes();
  }
  backend::DeviceMemory* const given = memory.get();
  // No share of it stays here: the tracker may have let it go before this returns, and the last to
  // hold it frees it, which waits for the device (MIOpen 12265).
  backend::Scratch handed{std::move(memory), bytes};
  try {
    s.owner->backend->tracker(s.stream->device())
        .abandon(*s.stream, std::move(handed), std::move(done));
  } catch (...) {
    if (scratch != nullptr) *scratch->memory = std::move(*given);
    throw;
  }
  delete scratch;
  delete stream;
}

std::string trackerState(BackendRef* backend, int device) {
  const backend::TrackerState state = required(backend, "backend").backend->tracker(device).state();
  std::ostringstream out;
  out << "owned=" << state.owned << "\npooled=" << state.pooled << "\nacquired=" << state.acquired
      << "\ndraining=" << state.draining << "\npinnedBytes=" << state.pinned_bytes << '\n';
  return out.str();
}

int backlogCap(const std::string& gpuMaxHwQueues, bool set) {
  return backend::max_draining_for(set ? gpuMaxHwQueues.c_str() : nullptr);
}

}  // namespace hiplab::bindings
