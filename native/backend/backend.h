// A backend: parts in chosen forms over one driver provider.
//
// An ordinary object, so that a test or a search builds a fresh one for each run. The process's own
// one is leaked on purpose: static destructors must not tear down what other threads still use.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/bounded_tune.h"
#include "backend/candidates.h"
#include "backend/capture_guard.h"
#include "backend/command_stream.h"
#include "backend/counters.h"
#include "backend/device_memory.h"
#include "backend/event.h"
#include "backend/gemm_call.h"
#include "backend/graph.h"
#include "backend/kernel.h"
#include "backend/parts.h"
#include "backend/stream_errors.h"
#include "backend/tune.h"
#include "backend/tune_winner.h"
#include "driver/provider.h"

namespace hiplab::backend {

// Thread-safe, as far as its parts are. Streams, events and memory made from it die before it.
class Backend {
 public:
  // `provider` must outlive it. Opens no device yet.
  // quiet: nothing of it is told on stderr.
  Backend(const driver::Provider& provider, std::unique_ptr<Parts> parts, bool quiet = false);

  // Frees what it owns. Waits for the streams that it still knows of, and spoils no capture.
  ~Backend();
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  const driver::Provider& provider() const { return provider_; }
  const Table& api() const { return *provider_.table; }
  Device& device(int index) { return devices_->at(index); }

  std::unique_ptr<CommandStream> stream(int device);
  std::unique_ptr<Event> event(int device, bool timing);
  std::unique_ptr<DeviceMemory> memory(int device, std::size_t bytes);

  // Enqueues; the shape is checked, the pointers are the caller's. Looks the device up on every
  // call, as each launch of the source does.
  void gemm(const CommandStream& stream, const GemmCall& call);

  // Enqueues a kernel of the caller's: compiled for the device at its first launch. Pointers and
  // argument types are the caller's. Throws with the compiler's log, or naming the launch.
  void launch(const CommandStream& stream, const Kernel& kernel, const LaunchShape& shape,
              const std::vector<KernelArgument>& arguments);

  // Begins; see Capture.
  std::unique_ptr<Capture> capture(const CommandStream& stream, hipStreamCaptureMode mode);

  // What the heuristic offers for a GEMM, best first.
  std::vector<hipblasLtMatmulHeuristicResult_t> heuristics(int device, const GemmShape& shape,
                                                           int requested, std::size_t cap);

  // The same, ready to be run one by one. Dies before the backend.
  std::unique_ptr<Candidates> candidates(int device, const GemmShape& shape, int requested,
                                         std::size_t cap);

  // Ends what the opened devices keep for their streams: waits for each stream, then frees its
  // workspace and temporaries. A stream that is capturing keeps its own. Streams stay usable; as
  // the workspace has gone, a capture needs a GEMM that runs before it again.
  void clear_streams();

  // The device's disposable streams for time-bounded evaluation.
  StreamTracker& tracker(int device) { return devices_->at(device).tracker(); }

  // Measures the candidates on the stream and keeps the best for later GEMMs; see tune.h.
  std::vector<Tuned> tune(const CommandStream& stream, const GemmCall& call, int requested,
                          int repetitions);

  // Begins to tune that shape on disposable streams of the device, in bounded time.
  std::unique_ptr<BoundedTune> bounded_tune(int device, const GemmShape& shape,
                                            const TuneLimits& limits);

  // The winner of an earlier tune: looked for, and taken by later GEMMs of that shape; and the
  // version of the library that its index is of. See tune_winner.h.
  void check_winner(int device, const GemmShape& shape, const TuneLimits& limits,
                    const Winner& winner);
  void apply_winner(int device, const GemmShape& shape, const TuneLimits& limits,
                    const Winner& winner);
  int blaslt_version(int device);

  // See Counters.
  std::map<std::string, std::int64_t> counters() const { return counters_.snapshot(); }

 private:
  const driver::Provider& provider_;
  std::optional<RelaxedCapture> closing_;  // from the destructor on, while the rest goes
  Counters counters_;
  StreamErrors errors_;
  const Context context_;
  // Destroyed from the last to the first: the router and the pipes before the devices whose
  // handles they used, the parts last.
  const std::unique_ptr<Parts> parts_;
  const std::unique_ptr<EventPool> events_;  // before the devices: trackers give events back
  const std::unique_ptr<DeviceMap> devices_;
  const std::unique_ptr<PipeCache> pipes_;
  const std::unique_ptr<ModuleCache> modules_;
  const std::unique_ptr<GemmRouter> router_;
};

}  // namespace hiplab::backend
