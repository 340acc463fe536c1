#include "backend/event.h"

namespace hiplab::backend {

Event::Event(const Context& context, EventPool& pool, int device, bool timing)
    : context_(context),
      pool_(pool),
      device_(device),
      timing_(timing),
      event_(pool.take(device, timing)) {}

Event::~Event() { pool_.give(device_, timing_, event_); }

void Event::record(const CommandStream& stream) {
  HIPLAB_CHECK(context_.api(), (Where{device_, stream.get()}), hipEventRecord, event_,
               stream.get());
  recorded_.store(true, std::memory_order_release);
}

void Event::make_wait(const CommandStream& stream) const {
  if (!recorded()) return;
  const MayJoinCapture joining(stream.owner().encoders(), stream.get());
  HIPLAB_CHECK(context_.api(), (Where{stream.device(), stream.get()}), hipStreamWaitEvent,
               stream.get(), event_, 0);
}

hipError_t Event::query() const {
  if (!recorded()) return hipSuccess;
  return context_.api().hipEventQuery(event_);
}

bool Event::done() const {
  const hipError_t status = query();
  if (status == hipErrorNotReady) return false;
  check(context_.api(), status, "hipEventQuery", Where{device_});
  return true;
}

void Event::synchronize() const {
  if (!recorded()) return;
  HIPLAB_CHECK(context_.api(), Where{device_}, hipEventSynchronize, event_);
}

float Event::millis_since(const Event& start) const {
  if (!timing_ || !start.timing_) {
    throw Error("elapsed time needs two events made with timing: create them with timing = true");
  }
  if (!recorded() || !start.recorded()) {
    throw Error("elapsed time needs two recorded events: the " +
                std::string(start.recorded() ? "second" : "first") +
                " has not been recorded, record it on a stream first");
  }
  float millis = 0;
  HIPLAB_CHECK(context_.api(), Where{device_}, hipEventElapsedTime, &millis, start.event_, event_);
  return millis;
}

}  // namespace hiplab::backend
