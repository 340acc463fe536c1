#include "backend/enqueue_gate.h"

#include <condition_variable>
#include <mutex>

namespace hiplab::backend {

struct EnqueueGate::State {
  std::mutex mutex;
  std::condition_variable opened;
  bool open = false;
};

EnqueueGate::EnqueueGate(const Table& api, const CommandStream& stream)
    : state_(std::make_shared<State>()) {
  auto shared = std::make_unique<std::shared_ptr<State>>(state_);
  HIPLAB_CHECK(api, (Where{stream.device(), stream.get()}), hipLaunchHostFunc, stream.get(), &wait,
               shared.get());
  shared.release();  // NOLINT(bugprone-unused-return-value): the callback's
}

void EnqueueGate::open() noexcept {
  const std::lock_guard lock(state_->mutex);
  state_->open = true;
  state_->opened.notify_all();
}

void EnqueueGate::wait(void* user) {
  const std::unique_ptr<std::shared_ptr<State>> shared(static_cast<std::shared_ptr<State>*>(user));
  State& state = **shared;
  std::unique_lock lock(state.mutex);
  state.opened.wait(lock, [&] { return state.open; });
}

}  // namespace hiplab::backend
