#include "backend/enqueue_gate.h"

namespace hiplab::backend {
namespace {

using Shared = std::shared_ptr<CallbackGate>;

void pass(void* user) {
  const std::unique_ptr<Shared> mine(static_cast<Shared*>(user));
  (*mine)->pass();
}

}  // namespace

EnqueueGate::EnqueueGate(const Table& api, const CommandStream& stream)
    : gate_(std::make_shared<CallbackGate>()) {
  auto shared = std::make_unique<Shared>(gate_);
  HIPLAB_CHECK(api, (Where{stream.device(), stream.get()}), hipLaunchHostFunc, stream.get(), &pass,
               shared.get());
  shared.release();  // NOLINT(bugprone-unused-return-value): the callback's
}

}  // namespace hiplab::backend
