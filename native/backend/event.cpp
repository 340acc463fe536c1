#include "backend/event.h"

#include "backend/device_guard.h"

namespace hiplab::backend {

Event::Event(const Context& context, int device, bool timing)
    : context_(context), device_(device), timing_(timing) {
  const DeviceGuard current(context.api(), device);
  hipEvent_t raw = nullptr;
  HIPLAB_CHECK(context.api(), Where{device}, hipEventCreateWithFlags, &raw,
               timing ? hipEventDefault : hipEventDisableTiming);
  event_ = OwnedEvent(context.api(), raw);
}

void Event::record(const CommandStream& stream) {
  HIPLAB_CHECK(context_.api(), (Where{device_, stream.get()}), hipEventRecord, event_.get(),
               stream.get());
}

void Event::make_wait(const CommandStream& stream) const {
  HIPLAB_CHECK(context_.api(), (Where{stream.device(), stream.get()}), hipStreamWaitEvent,
               stream.get(), event_.get(), 0);
}

bool Event::done() const {
  const hipError_t status = context_.api().hipEventQuery(event_.get());
  if (status == hipErrorNotReady) return false;
  check(context_.api(), status, "hipEventQuery", Where{device_});
  return true;
}

void Event::synchronize() const {
  HIPLAB_CHECK(context_.api(), Where{device_}, hipEventSynchronize, event_.get());
}

float Event::millis_since(const Event& start) const {
  if (!timing_ || !start.timing_) {
    throw Error("elapsed time needs two events made with timing: create them with timing = true");
  }
  float millis = 0;
  HIPLAB_CHECK(context_.api(), Where{device_}, hipEventElapsedTime, &millis, start.event_.get(),
               event_.get());
  return millis;
}

}  // namespace hiplab::backend
