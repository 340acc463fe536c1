#include "bindings/hiplab.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <sstream>
#include <vector>

#include "bindings/checks.h"
#include "bindings/convert.h"
#include "bindings/options.h"
#include "bindings/refs.h"
#include "driver/choice.h"
#include "driver/host/float8.h"
#include "driver/host/openblas.h"

namespace hiplab::bindings {
namespace {

using namespace hiplab::rocm;  // NOLINT: driver code is written in ROCm's own names
using backend::Where;

std::string counted(int number, const char* noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

// The software device computes with OpenBLAS. A missing one is told when the backend opens: at a
// GEMM it would look like the outcome of a form, and one that discards the status of a GEMM would
// pass it off as a wrong result.
void require_arithmetic(const driver::Provider& provider) {
  if (provider.name == "host") driver::host::OpenBlas::get();
}

void copy_in_order(const StreamRef& stream, void* dst, const void* src, std::size_t bytes,
                   hipMemcpyKind kind) {
  const backend::CommandStream& s = *stream.stream;
  HIPLAB_CHECK(stream.owner->backend->api(), (Where{s.device(), s.get()}), hipMemcpyAsync, dst, src,
               bytes, kind, s.get());
  s.synchronize();
}

}  // namespace

// ---- backend -----------------------------------------------------------------------------------

BackendRef* openBackend(const std::string& options) {
  const Options parsed = parse_options(options);
  auto ref = std::make_unique<BackendRef>();
  ref->choice = driver::choose(parsed.request);
  if (ref->choice.provider == nullptr) throw Error("no driver can be used: " + ref->choice.reason);
  require_arithmetic(*ref->choice.provider);
  if (parsed.fault) ref->fault.emplace(*parsed.fault);
  ref->backend = std::make_unique<backend::Backend>(*ref->choice.provider,
                                                    forms::make_parts(parsed.forms), parsed.quiet);
  return ref.release();
}

void closeBackend(BackendRef* backend) {
  const BackendRef& ref = required(backend, "backend");
  const int streams = ref.streams;
  const int events = ref.events;
  const int buffers = ref.buffers;
  const int graphs = ref.graphs;
  const int candidates = ref.candidates;
  if (streams + events + buffers + graphs + candidates > 0) {
    throw Error("the backend cannot be closed, still open are " + counted(streams, "stream") +
                ", " + counted(events, "event") + ", " + counted(buffers, "buffer") + ", " +
                counted(graphs, "graph") + " and " + counted(candidates, "candidate list") +
                ": close them first");
  }
  delete backend;
}

std::string describe(BackendRef* backend) {
  const BackendRef& ref = required(backend, "backend");
  return ref.choice.provider->name + ": " + ref.choice.provider->detail + " (" + ref.choice.reason +
         ")";
}

std::string providerInfo(BackendRef* backend) {
  const BackendRef& ref = required(backend, "backend");
  const driver::Provider& provider = *ref.choice.provider;
  std::ostringstream out;
  out << "provider=" << provider.name << "\ndetail=" << provider.detail
      << "\nreason=" << ref.choice.reason << "\ndeviceCount=" << provider.device_count << '\n';
  for (const auto& [library, version] : provider.versions) {
    out << "version." << library << '=' << version << '\n';
  }
  return out.str();
}

std::string probeDrivers(const std::string& options) {
  const auto candidates = driver::probe(parse_options(options).request);
  std::ostringstream out;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const driver::Candidate& candidate = candidates[i];
    out << "candidate." << i << ".name=" << candidate.name << "\ncandidate." << i
        << ".usable=" << (candidate.usable ? 1 : 0) << "\ncandidate." << i
        << ".reason=" << candidate.reason << '\n';
  }
  return out.str();
}

std::string deviceInfo(BackendRef* backend, int device) {
  const backend::DeviceInfo& info = required(backend, "backend").backend->device(device).info();
  std::ostringstream out;
  out << "name=" << info.name << "\narch=" << info.arch << "\ntotalBytes=" << info.total_bytes
      << "\nmultiprocessors=" << info.multiprocessors << "\nwarpSize=" << info.warp_size << '\n';
  return out.str();
}

bool hasNativeWmma(BackendRef* backend, int device) {
  return required(backend, "backend").backend->device(device).traits().has_native_wmma();
}

bool hasBlasLtGemm(BackendRef* backend, int device, int type) {
  return required(backend, "backend")
      .backend->device(device)
      .capabilities()
      .get()
      .has(element_type(type));
}

std::string formParts() {
  std::string out;
  for (const std::string& part : forms::part_names()) {
    std::string names;
    for (const forms::Form form : forms::forms_of(part)) {
      names += (names.empty() ? "" : ",") + std::string(forms::form_name(form));
    }
    out += part + "=" + names + "\n";
  }
  return out;
}

std::string counters(BackendRef* backend) {
  std::ostringstream out;
  for (const auto& [name, value] : required(backend, "backend").backend->counters()) {
    out << name << '=' << value << '\n';
  }
  out << "callback.errors=" << required(backend, "backend").callback_errors.count() << '\n';
  for (const auto& [name, value] : driver::call_counts()) {
    out << "calls." << name << '=' << value << '\n';
  }
  for (const auto& [name, value] : driver::watched_counts()) out << name << '=' << value << '\n';
  for (const auto& [name, value] : driver::live_objects()) {
    out << "live." << name << '=' << value << '\n';
  }
  if (required(backend, "backend").fault) {
    const driver::FaultReport fault = driver::fault_report();
    out << "faults.calls=" << fault.calls << "\nfaults.injected=" << fault.injected << '\n';
  }
  return out.str();
}

void clearStreams(BackendRef* backend) { required(backend, "backend").backend->clear_streams(); }

// ---- memory ------------------------------------------------------------------------------------

BufferRef* allocate(BackendRef* backend, int device, int64_t bytes) {
  BackendRef& ref = required(backend, "backend");
  if (bytes < 1) {
    throw Error("a block of " + std::to_string(bytes) +
                " bytes was asked for, at least 1 byte is allowed");
  }
  return new BufferRef{&ref, Use(ref.buffers),
                       ref.backend->memory(device, static_cast<std::size_t>(bytes))};
}

void freeBuffer(BufferRef* buffer) {
  required(buffer, "buffer");
  delete buffer;
}

int64_t bufferBytes(BufferRef* buffer) {
  return static_cast<std::int64_t>(required(buffer, "buffer").memory->bytes());
}

void copyIn(StreamRef* stream, BufferRef* dst, const float* src, int64_t count, int type) {
  const StreamRef& s = required(stream, "stream");
  const BufferRef& buffer = required(dst, "destination buffer");
  const ElementType element = element_type(type);
  require_same_device(s, buffer, "destination buffer");
  const std::size_t bytes = bytes_within(buffer, count, element, "copy");
  require_host(src, count, "source");
  if (element == ElementType::f32) {
    copy_in_order(s, buffer.memory->get(), src, bytes, hipMemcpyHostToDevice);
    return;
  }
  if (element == ElementType::f8) {
    std::vector<std::uint8_t> converted(static_cast<std::size_t>(count));
    std::transform(src, src + count, converted.begin(), driver::host::to_e4m3);
    copy_in_order(s, buffer.memory->get(), converted.data(), bytes, hipMemcpyHostToDevice);
    return;
  }
  std::vector<std::uint16_t> converted(static_cast<std::size_t>(count));
  std::transform(src, src + count, converted.begin(),
                 element == ElementType::f16 ? float_to_f16 : float_to_bf16);
  copy_in_order(s, buffer.memory->get(), converted.data(), bytes, hipMemcpyHostToDevice);
}

void copyOut(StreamRef* stream, BufferRef* src, float* dst, int64_t count, int type) {
  const StreamRef& s = required(stream, "stream");
  const BufferRef& buffer = required(src, "source buffer");
  const ElementType element = element_type(type);
  require_same_device(s, buffer, "source buffer");
  const std::size_t bytes = bytes_within(buffer, count, element, "copy");
  require_host(dst, count, "destination");
  if (element == ElementType::f32) {
    copy_in_order(s, dst, buffer.memory->get(), bytes, hipMemcpyDeviceToHost);
    return;
  }
  if (element == ElementType::f8) {
    std::vector<std::uint8_t> raw(static_cast<std::size_t>(count));
    copy_in_order(s, raw.data(), buffer.memory->get(), bytes, hipMemcpyDeviceToHost);
    std::transform(raw.begin(), raw.end(), dst, driver::host::from_e4m3);
    return;
  }
  std::vector<std::uint16_t> raw(static_cast<std::size_t>(count));
  copy_in_order(s, raw.data(), buffer.memory->get(), bytes, hipMemcpyDeviceToHost);
  std::transform(raw.begin(), raw.end(), dst,
                 element == ElementType::f16 ? f16_to_float : bf16_to_float);
}

void fillBytes(StreamRef* stream, BufferRef* dst, int value) {
  const StreamRef& s = required(stream, "stream");
  const BufferRef& buffer = required(dst, "buffer");
  require_same_device(s, buffer, "buffer");
  if (value < 0 || value > 255) {
    throw Error("fill value is " + std::to_string(value) + ", allowed are 0 to 255");
  }
  HIPLAB_CHECK(s.owner->backend->api(), (Where{s.stream->device(), s.stream->get()}),
               hipMemsetAsync, buffer.memory->get(), value, buffer.memory->bytes(),
               s.stream->get());
}

// ---- streams and events ------------------------------------------------------------------------

StreamRef* createStream(BackendRef* backend, int device) {
  BackendRef& ref = required(backend, "backend");
  auto own = ref.backend->stream(device);
  auto* const stream = own.get();
  return new StreamRef{&ref, Use(ref.streams), std::move(own), stream};
}

void destroyStream(StreamRef* stream) {
  StreamRef& s = required(stream, "stream");
  if (!s.own) {
    throw Error("the stream is the tracker's: pass it to releaseStream or abandonStream");
  }
  {
    // A capture that another thread just begins or ends is let through.
    const std::lock_guard lock(s.capture_mutex);
    s.capture.reset();
  }
  delete stream;
}

void synchronizeStream(StreamRef* stream) { required(stream, "stream").stream->synchronize(); }

bool streamIdle(StreamRef* stream) { return required(stream, "stream").stream->idle(); }

EventRef* createEvent(BackendRef* backend, int device, bool timing) {
  BackendRef& ref = required(backend, "backend");
  return new EventRef{&ref, Use(ref.events), ref.backend->event(device, timing)};
}

void destroyEvent(EventRef* event) {
  required(event, "event");
  delete event;
}

void recordEvent(EventRef* event, StreamRef* stream) {
  const EventRef& e = required(event, "event");
  const StreamRef& s = required(stream, "stream");
  require_same_backend(s.owner, e.owner, "event");
  if (e.event->device() != s.stream->device()) {
    throw Error("the event is of device " + std::to_string(e.event->device()) +
                ", the stream of device " + std::to_string(s.stream->device()) +
                ": record it on a stream of its own device");
  }
  e.event->record(*s.stream);
}

void waitEvent(StreamRef* stream, EventRef* event) {
  const StreamRef& s = required(stream, "stream");
  const EventRef& e = required(event, "event");
  require_same_backend(s.owner, e.owner, "event");
  e.event->make_wait(*s.stream);
}

bool eventDone(EventRef* event) { return required(event, "event").event->done(); }

void synchronizeEvent(EventRef* event) { required(event, "event").event->synchronize(); }

float elapsedMillis(EventRef* start, EventRef* stop) {
  const EventRef& first = required(start, "start event");
  return required(stop, "stop event").event->millis_since(*first.event);
}

// ---- GEMM --------------------------------------------------------------------------------------

void gemm(StreamRef* stream, int type, bool transA, bool transB, int64_t m, int64_t n, int64_t k,
          int64_t batch, float alpha, BufferRef* a, BufferRef* b, float beta, BufferRef* c) {
  const StreamRef& s = required(stream, "stream");
  const backend::GemmShape shape = shape_of(type, transA, transB, m, n, k, batch);
  s.owner->backend->gemm(*s.stream, gemm_call(s, shape, alpha, a, b, beta, c));
}

void cblasSgemm(int64_t m, int64_t n, int64_t k, const float* a, const float* b, float* c) {
  backend::check_shape({ElementType::f32, false, false, m, n, k, 1});
  require_host(a, m * k, "A");
  require_host(b, k * n, "B");
  require_host(c, m * n, "C");
  driver::host::OpenBlas::get().sgemm(true, false, false, static_cast<int>(m), static_cast<int>(n),
                                      static_cast<int>(k), 1.0f, a, static_cast<int>(k), b,
                                      static_cast<int>(n), 0.0f, c, static_cast<int>(n));
}

std::string openblasInfo() {
  const driver::host::OpenBlas& blas = driver::host::OpenBlas::get();
  std::ostringstream out;
  out << "library=" << blas.path() << "\nversion=" << blas.version()
      << "\nthreads=" << blas.threads() << '\n';
  return out.str();
}

}  // namespace hiplab::bindings
