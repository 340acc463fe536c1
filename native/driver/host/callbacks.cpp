#include "driver/host/callbacks.h"

#include <cstdio>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

#include "driver/host/fault.h"
#include "driver/host/machine.h"
#include "driver/host/refusal.h"
#include "driver/host/submit.h"
#include "driver/host/tables.h"
#include "sync/condition_variable.h"
#include "sync/mutex.h"
#include "sync/thread.h"

namespace hiplab::driver::host {

using namespace hiplab::rocm;  // NOLINT: ROCm's own names

namespace {

thread_local const Queue* running_for = nullptr;

// Callbacks run one at a time in the whole process, in the order in which their streams reach them
// (MIOpen 12265: a blocked callback delays the release of every other evaluation; that it is one
// thread for all devices is assumed).
class CallbackThread {
 public:
  // Leaked: a callback may still be running while the process exits.
  static CallbackThread& get() {
    static auto* const leaked = new CallbackThread;
    return *leaked;
  }

  // At the latest when the first callback is enqueued, where there is still a caller to tell.
  hipError_t start() {
    const std::lock_guard lock(mutex_);
    if (started_) return hipSuccess;
    try {
      sync::Thread("callbacks", [this] { run(); }).detach();
    } catch (const std::exception& e) {  // std::system_error: the caller is a C function
      std::fprintf(stderr,
                   "hiplab: host callbacks got no thread: %s; use fewer streams, or raise the "
                   "limit of threads (ulimit -u)\n",
                   e.what());
      return hipErrorOutOfMemory;
    }
    started_ = true;
    return hipSuccess;
  }

  // Complete when the callback has returned.
  std::shared_ptr<Marker> post(hipHostFn_t function, void* user) {
    auto returned = std::make_shared<Marker>();
    Queue::current()->enter_callback();
    const std::lock_guard lock(mutex_);
    calls_.push_back({function, user, Queue::current(), returned});
    posted_.notify_one();
    return returned;
  }

 private:
  struct Call {
    hipHostFn_t function;
    void* user;
    Queue* queue;  // alive: its stream is held until the callback has returned
    std::shared_ptr<Marker> returned;
  };

  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      posted_.wait(lock, [&] { return !calls_.empty() && !faulted(); });
      const Call call = std::move(calls_.front());
      calls_.pop_front();
      lock.unlock();
      running_for = call.queue;
      call.function(call.user);
      running_for = nullptr;
      call.queue->leave_callback();  // before another callback can wait for this queue
      call.returned->complete();
      lock.lock();
    }
  }

  sync::Mutex mutex_{"device callbacks"};
  sync::ConditionVariable posted_;
  std::deque<Call> calls_;
  bool started_ = false;
};

// The stream goes on after the callback has returned (HIP documentation).
hipError_t launch_host_func(hipStream_t stream, hipHostFn_t function, void* user) {
  if (const auto e = refused(Call::enqueue)) return e;
  if (function == nullptr) return hipErrorInvalidValue;
  const auto queue = machine().queue(stream);
  if (queue == nullptr) return hipErrorInvalidHandle;
  const hipError_t started = CallbackThread::get().start();
  if (started != hipSuccess) return started;
  return submit(stream, queue->device(),
                [function, user] { return CallbackThread::get().post(function, user); });
}

}  // namespace

const Queue* callback_queue() { return running_for; }

// HIP's documentation forbids every HIP call in a callback, but nothing enforces it: what only
// enqueues works (mlxcel's async MoE path calls hipblasLtMatmul there), and what waits for the
// callback's own stream waits for ever (MIOpen 12265: "hipFree there would wait on the stream
// running it"). The lab must not hang, so here such a call fails; the status is assumed, as HIP has
// none for it (CUDA returns 800 for calls that it refuses in a callback, measured on an H200). Told
// are waits for the own stream, for its events, for a whole device and for another stream's
// callback, or for an event behind one; not a wait for a third stream that waits for one of these
// (so does a stream on which a graph was launched, for the callbacks of the graph's branches): that
// one hangs here, too.
hipError_t refuse_in_callback(const char* call) {
  std::fprintf(
      stderr,
      "hiplab: %s inside a host callback waits for that callback: under HIP it never "
      "returns, here it fails with hipErrorNotSupported; make the call on another thread\n",
      call);
  return hipErrorNotSupported;
}

hipError_t refused_in_callback(const char* call, const Queue* target) {
  if (running_for == nullptr || (target != nullptr && target != running_for)) return hipSuccess;
  return refuse_in_callback(call);
}

void fill_callbacks(Table& t) { t.hipLaunchHostFunc = launch_host_func; }

}  // namespace hiplab::driver::host
