// What the opaque references of hiplab.h are, and the checks on them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "backend/callback_gate.h"
#include "bindings/hiplab.h"
#include "driver/event_runs.h"
#include "driver/faults.h"
#include "sync/forced_run.h"
#include "sync/mutex.h"
#include "sync/trace.h"

namespace hiplab::bindings {

// A fault that is armed for as long as this lives.
class ArmedFault {
 public:
  explicit ArmedFault(const driver::Fault& fault) { driver::arm_fault(fault); }
  ~ArmedFault() { driver::disarm_fault(); }
  ArmedFault(const ArmedFault&) = delete;
  ArmedFault& operator=(const ArmedFault&) = delete;
};

// What went wrong in host callbacks, which have no caller to tell. Thread-safe.
class CallbackErrors {
 public:
  void add(std::string what);  // in one line
  std::int64_t count() const;
  std::string lines() const;  // the first kKept

 private:
  static constexpr std::size_t kKept = 64;

  mutable sync::Mutex mutex_{"callback errors"};
  std::int64_t count_ = 0;           // mutex_
  std::vector<std::string> errors_;  // mutex_
};

struct BackendRef {
  driver::Choice choice;
  CallbackErrors callback_errors;   // before the backend, which waits for callbacks when it dies
  std::optional<ArmedFault> fault;  // closing the backend is still under it
  std::unique_ptr<backend::Backend> backend;
  std::atomic<int> streams{0};  // open references, so that closing too early is an error
  std::atomic<int> events{0};
  std::atomic<int> buffers{0};
  std::atomic<int> graphs{0};
  std::atomic<int> candidates{0};
};

// Counts one open reference of its backend for as long as it lives.
class Use {
 public:
  explicit Use(std::atomic<int>& count) : count_(count) { ++count_; }
  ~Use() { --count_; }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  std::atomic<int>& count_;
};

// `use` comes first so that it ends last.
struct StreamRef {
  BackendRef* owner;
  Use use;
  std::unique_ptr<backend::CommandStream> own;  // null for a stream of the tracker
  backend::CommandStream* stream;
  // Any thread may begin or end a capture: HIP refuses the wrong one, and must be the one to do so.
  // It is asked with the lock held, as what it answers decides what becomes of `capture`.
  sync::Mutex capture_mutex{"stream capture"};
  std::unique_ptr<backend::Capture> capture{};  // between beginCapture and endCapture
};

struct GraphRef {
  BackendRef* owner;
  Use use;
  std::unique_ptr<backend::Graph> graph;
};

struct CandidatesRef {
  BackendRef* owner;
  Use use;
  std::unique_ptr<backend::Candidates> candidates;
};

// Counts as a list of candidates.
struct TuneRef {
  BackendRef* owner;
  Use use;
  std::unique_ptr<backend::BoundedTune> tune;
};

// Not of a backend: it is compiled where it is launched.
struct KernelRef {
  backend::Kernel kernel;
};

struct CodeRef {
  std::vector<char> code;
};

// A buffer in a list of arguments. The list does not keep it: whoever frees it frees its memory,
// and the next launch says so. A launch that has begun keeps it until it is enqueued.
struct BufferArgument {
  std::size_t index;  // in the list
  const BackendRef* owner;
  std::weak_ptr<const backend::DeviceMemory> memory;
};

struct ArgumentsRef {
  std::vector<backend::KernelArgument> values;
  std::vector<BufferArgument> buffers;  // those of `values` that are device pointers
};

struct ScheduleRef {
  sync::ForcedRun run;
};

struct TraceRef {
  sync::Trace trace;
  std::optional<driver::BracketAllWork> brackets;
};

struct GateRef {
  std::shared_ptr<backend::CallbackGate> gate = std::make_shared<backend::CallbackGate>();
};

struct EventRef {
  BackendRef* owner;
  Use use;
  std::unique_ptr<backend::Event> event;
};

struct BufferRef {
  BackendRef* owner;
  Use use;
  std::shared_ptr<backend::DeviceMemory> memory;  // its own; a launch shares it for its time
};

template <typename Ref>
Ref& required(Ref* reference, const char* what) {
  if (reference == nullptr) {
    throw Error(std::string(what) + " is null: pass one that is open");
  }
  return *reference;
}

}  // namespace hiplab::bindings
