#include "backend/backend.h"

#include <utility>

#include "backend/device_guard.h"
#include "backend/heuristics.h"
#include "driver/gemm_stream.h"

namespace hiplab::backend {
namespace {

// What goes wrong while work is enqueued is the stream's last error as well.
template <typename Work>
void recording(Encoder& encoder, Work work) {
  try {
    work();
  } catch (const Error& error) {
    encoder.record_error(error.what());
    throw;
  }
}

}  // namespace

Backend::Backend(const driver::Provider& provider, std::unique_ptr<Parts> parts, bool quiet)
    : provider_(provider),
      context_{provider, counters_, &errors_, quiet},
      parts_(std::move(parts)),
      events_(parts_->event_pool(context_)),
      devices_(parts_->device_map(context_)),
      pipes_(parts_->pipe_cache(context_)),
      modules_(parts_->module_cache(context_)),
      router_(parts_->router(context_, *pipes_, *modules_)) {
  errors_.attach(devices_.get());
}

Backend::~Backend() {
  closing_.emplace(api());  // another thread may be capturing
  clear_streams();          // while their errors can still look devices up
  errors_.attach(nullptr);
  // No wait for whole devices: any capture of the process refuses that and is lost (MIOpen 12265).
  // Each stream has been waited for, by its own end or just now; trackers wait for theirs.
}

std::unique_ptr<CommandStream> Backend::stream(int device) {
  return std::make_unique<CommandStream>(context_, devices_->at(device));
}

std::unique_ptr<Event> Backend::event(int device, bool timing) {
  return std::make_unique<Event>(context_, *events_, devices_->at(device).index(), timing);
}

std::unique_ptr<DeviceMemory> Backend::memory(int device, std::size_t bytes) {
  if (bytes == 0) throw Error("a block of 0 bytes was asked for, at least 1 byte is allowed");
  return std::make_unique<DeviceMemory>(context_, devices_->at(device).index(), bytes);
}

void Backend::gemm(const CommandStream& stream, const GemmCall& call) {
  check_shape(call.shape);
  Device& device = devices_->at(stream.device());
  device.tracker().on_launch(stream.get());
  // Held until the GEMM is enqueued: clearing frees the stream's workspace after that.
  const std::shared_ptr<Encoder> encoder = device.encoders().get(stream.get());
  const driver::WantedStream wanted(stream.get());  // whoever watches the driver compares
  recording(*encoder, [&] { router_->gemm(device, stream.get(), call); });
}

void Backend::launch(const CommandStream& stream, const Kernel& kernel, const LaunchShape& shape,
                     const std::vector<KernelArgument>& arguments) {
  Device& device = devices_->at(stream.device());
  device.tracker().on_launch(stream.get());
  const std::shared_ptr<Encoder> encoder = device.encoders().get(stream.get());
  recording(*encoder, [&] {
    const hipFunction_t function = modules_->get(device, kernel);
    const DeviceGuard current(api(), device.index());
    launch_function(api(), {device.index(), stream.get()}, function, kernel.name(), shape,
                    arguments);
  });
}

void Backend::clear_streams() {
  // The map's lock is released by now: an encoder's end may look devices up (mlxcel 2197).
  for (Device* device : devices_->opened()) {
    device->encoders().clear();
    device->workspaces().trim();
  }
}

std::unique_ptr<Capture> Backend::capture(const CommandStream& stream, hipStreamCaptureMode mode) {
  return std::make_unique<Capture>(context_, stream, mode);
}

std::vector<hipblasLtMatmulHeuristicResult_t> Backend::heuristics(int device,
                                                                  const GemmShape& shape,
                                                                  int requested, std::size_t cap) {
  check_shape(shape);
  Device& opened = devices_->at(device);
  hipblasLtHandle_t handle = opened.blaslt().get();
  return query_heuristics(api(), device, handle, make_descriptors(api(), device, shape), requested,
                          cap);
}

std::unique_ptr<Candidates> Backend::candidates(int device, const GemmShape& shape, int requested,
                                                std::size_t cap) {
  return std::make_unique<Candidates>(context_, devices_->at(device), shape, requested, cap);
}

std::vector<Tuned> Backend::tune(const CommandStream& stream, const GemmCall& call, int requested,
                                 int repetitions) {
  return backend::tune(context_, *events_, devices_->at(stream.device()), stream, call, requested,
                       repetitions);
}

std::unique_ptr<BoundedTune> Backend::bounded_tune(int device, const GemmShape& shape,
                                                   const TuneLimits& limits) {
  return BoundedTune::begin(context_, *events_, devices_->at(device), shape, limits);
}

void Backend::check_winner(int device, const GemmShape& shape, const TuneLimits& limits,
                           const Winner& winner) {
  offered_winner(context_, devices_->at(device), shape, limits, winner);
}

void Backend::apply_winner(int device, const GemmShape& shape, const TuneLimits& limits,
                           const Winner& winner) {
  backend::apply_winner(context_, devices_->at(device), shape, limits, winner);
}

int Backend::blaslt_version(int device) {
  return backend::blaslt_version(context_, devices_->at(device));
}

}  // namespace hiplab::backend
