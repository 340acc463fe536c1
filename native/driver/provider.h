// Which library answers the driver table, and why that one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "driver/solutions.h"
#include "driver/table.h"

namespace hiplab::driver {

// One provider, opened: its table and what can be said about it. Owned by the process (libraries
// are never unloaded: ROCm's own static state does not survive that), so references stay valid.
struct Provider {
  std::string name;    // "rocm" | "host"
  std::string detail;  // "software device, profile splitk, 1 device"
  const Table* table = nullptr;
  int device_count = 0;
  bool has_rocblas = false;
  bool has_hipblaslt = false;
  Solutions solutions;                          // of hipBLASLt's algorithms
  std::map<std::string, std::string> versions;  // library -> version as the library tells it
};

// What was asked for. Empty strings mean: take the environment's value, else the default.
struct Request {
  std::string driver;    // "auto" | "rocm" | "host"            (HIPLAB_DRIVER)
  std::string profile;   // host only: a name of profile_names() (HIPLAB_PROFILE), default splitk
  int host_devices = 0;  // host only: 1..16, 0 = default 1      (HIPLAB_HOST_DEVICES)
  // Host only: the architecture that its devices tell, in place of the profile's. At most 40
  // letters, digits, '-', ':' and '+'; empty: the profile's own. No environment's value.
  std::string host_arch;
  bool count_calls = false;
  bool inject_faults = false;  // calls can be made to fail: driver/faults.h; they are counted
};

// A provider that was looked at and its verdict, in the order in which they were tried.
struct Candidate {
  std::string name;
  bool usable = false;
  std::string reason;  // one clause: "no /dev/kfd", "libamdhip64 not found (tried ...)"
};

struct Choice {
  const Provider* provider = nullptr;
  std::string reason;                 // one sentence: why this one
  std::vector<Candidate> candidates;  // everything that was looked at
};

// Chooses and opens. The choice is made once for each request in a process; a second host request
// with another profile, device count or architecture is an error (the software device is one per
// process, as a GPU is). Throws hiplab::Error naming the wrong value and what is allowed.
Choice choose(const Request& request);

// Names that a request may carry.
const std::vector<std::string>& driver_names();
const std::vector<std::string>& profile_names();

// Calls by function name since the process began; empty unless count_calls was asked for.
std::map<std::string, std::int64_t> call_counts();

// What was seen of GEMMs and handles since the process began (driver/watching.h); empty unless
// count_calls was asked for.
std::map<std::string, std::int64_t> watched_counts();

// Live objects (streams, events, bytes and blocks of device memory, handles, descriptors) that the
// software device knows; empty on other providers.
std::map<std::string, std::int64_t> live_objects();

}  // namespace hiplab::driver
