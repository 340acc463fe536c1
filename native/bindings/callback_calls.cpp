// hiplab.h: host callbacks.
#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

#include "backend/tracker_slots.h"
#include "bindings/checks.h"
#include "bindings/hiplab.h"
#include "sync/director.h"

namespace hiplab::bindings {

using namespace hiplab::rocm;  // NOLINT: driver code is written in ROCm's own names

void CallbackErrors::add(std::string what) {
  std::replace(what.begin(), what.end(), '\n', ' ');
  const std::lock_guard lock(mutex_);
  ++count_;
  if (errors_.size() < kKept) errors_.push_back(std::move(what));
}

std::int64_t CallbackErrors::count() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

std::string CallbackErrors::lines() const {
  const std::lock_guard lock(mutex_);
  std::string out;
  for (const std::string& error : errors_) out += error + '\n';
  return out;
}

namespace {

// Enqueues a callback that takes `work` over and runs it once. Not in a capture, whose graph would
// run it at each launch.
template <typename Work>
void enqueue_callback(StreamRef& s, std::unique_ptr<Work> work, const char* what) {
  const std::lock_guard lock(s.capture_mutex);
  const backend::Table& api = s.owner->backend->api();
  backend::refuse_capturing(api, *s.stream, what);
  const hipHostFn_t run = [](void* user) {
    const std::unique_ptr<Work> mine(static_cast<Work*>(user));
    (*mine)();
  };
  HIPLAB_CHECK(api, (backend::Where{s.stream->device(), s.stream->get()}), hipLaunchHostFunc,
               s.stream->get(), run, work.get());
  (void)work.release();  // the callback's by now
}

struct PassGate {
  std::shared_ptr<backend::CallbackGate> gate;
  void operator()() const { gate->pass(); }
};

struct EnqueueGemm {
  BackendRef* owner;
  const backend::CommandStream* stream;
  backend::GemmCall call;

  void operator()() const {
    try {
      owner->backend->gemm(*stream, call);
    } catch (const sync::Deadlock&) {
      throw;  // a stepped run's: it ends the callbacks' thread
    } catch (const std::exception& error) {
      owner->callback_errors.add(error.what());
    }
  }
};

}  // namespace

GateRef* createGate() { return new GateRef; }

void openGate(GateRef* gate) { required(gate, "gate").gate->open(); }

void destroyGate(GateRef* gate) {
  required(gate, "gate").gate->open();
  delete gate;
}

bool gateReached(GateRef* gate) { return required(gate, "gate").gate->reached(); }

void waitAtGate(StreamRef* stream, GateRef* gate) {
  StreamRef& s = required(stream, "stream");
  enqueue_callback(s, std::make_unique<PassGate>(required(gate, "gate").gate), "held at a gate");
}

void gemmInCallback(StreamRef* after, StreamRef* on, int type, bool transA, bool transB, int64_t m,
                    int64_t n, int64_t k, int64_t batch, float alpha, BufferRef* a, BufferRef* b,
                    float beta, BufferRef* c) {
  StreamRef& first = required(after, "stream of the callback");
  const StreamRef& s = required(on, "stream of the GEMM");
  require_same_backend(first.owner, s.owner, "stream of the GEMM");
  const backend::GemmShape shape = shape_of(type, transA, transB, m, n, k, batch);
  enqueue_callback(first,
                   std::make_unique<EnqueueGemm>(
                       EnqueueGemm{s.owner, s.stream, gemm_call(s, shape, alpha, a, b, beta, c)}),
                   "given a callback");
}

std::string callbackErrors(BackendRef* backend) {
  return required(backend, "backend").callback_errors.lines();
}

}  // namespace hiplab::bindings
