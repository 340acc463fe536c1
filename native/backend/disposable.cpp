#include "backend/disposable.h"

#include <chrono>
#include <utility>

#include "backend/capture_guard.h"
#include "sync/time.h"

namespace hiplab::backend {
namespace {

constexpr std::chrono::microseconds kPoll{20};

}  // namespace

Disposable::~Disposable() {
  if (stream_ == nullptr) return;
  try {
    stop_->record(*stream_);
  } catch (const Error&) {
    stop_ = nullptr;  // what it recorded before is not the end of this work
  }
  try {
    abandon();
  } catch (const std::exception&) {
    // It captures, or there is no memory: the stream stays acquired. Freeing waits for the device.
    try {
      tracker_.discard(std::move(scratch_));
    } catch (const std::exception&) {
    }
  }
}

Scratch Disposable::release() {
  tracker_.release(*stream_);
  stream_ = nullptr;
  return std::move(scratch_);
}

void Disposable::abandon() {
  tracker_.abandon(*stream_, std::move(scratch_), std::move(stop_));
  stream_ = nullptr;
}

bool ends_within(const Table& api, const Event& event, const Patience& patience) {
  const RelaxedCapture relaxed(api);
  while (!event.done()) {
    if (patience.over()) return false;
    sync::sleep_for(kPoll);
  }
  return true;
}

}  // namespace hiplab::backend
