// What the opaque references of hiplab.h are, and the checks on them.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "backend/backend.h"
#include "bindings/hiplab.h"
#include "driver/faults.h"

namespace hiplab::bindings {

// A fault that is armed for as long as this lives.
class ArmedFault {
 public:
  explicit ArmedFault(const driver::Fault& fault) { driver::arm_fault(fault); }
  ~ArmedFault() { driver::disarm_fault(); }
  ArmedFault(const ArmedFault&) = delete;
  ArmedFault& operator=(const ArmedFault&) = delete;
};

struct BackendRef {
  driver::Choice choice;
  std::optional<ArmedFault> fault;  // closing the backend is still under it
  std::unique_ptr<backend::Backend> backend;
  std::atomic<int> streams{0};  // open references, so that closing too early is an error
  std::atomic<int> events{0};
  std::atomic<int> buffers{0};
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
  std::unique_ptr<backend::CommandStream> stream;
};

struct EventRef {
  BackendRef* owner;
  Use use;
  std::unique_ptr<backend::Event> event;
};

struct BufferRef {
  BackendRef* owner;
  Use use;
  std::unique_ptr<backend::DeviceMemory> memory;
};

template <typename Ref>
Ref& required(Ref* reference, const char* what) {
  if (reference == nullptr) {
    throw Error(std::string(what) + " is null: pass one that is open");
  }
  return *reference;
}

}  // namespace hiplab::bindings
