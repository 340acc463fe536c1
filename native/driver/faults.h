// A wrapper table that makes driver calls fail on purpose.
//
// A failing call does not reach the inner table: nothing happens, and out parameters stay as they
// were, which is how HIP and the libraries leave them when they refuse a call. Functions without a
// status of their own (names and texts, hipGetLastError) always pass and are not counted. One call
// has its effect even so: hipStreamEndCapture with 901 or 904 ends the capture, as in HIP.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "driver/table.h"

namespace hiplab::driver {

// Which call fails, and how. Calls are counted over all wrapped tables of the process, from 1 at
// the first call after arm_fault().
struct Fault {
  std::int64_t n = 1;      // the nth call fails
  bool for_good = false;   // and so does every one after it, as after a queue fault
  std::int64_t last = 0;   // or those up to this one, when it is more than n
  std::string function{};  // counts and fails calls of this function only; empty: of every function

  // What the call returns. With a function: one of its own (statuses_of()). Over every function: a
  // HIP error, of which each library above HIP gives its own word (status_under()).
  int status = 0;
  // Instead of `status`: the listed-th status that the failing function may return
  // (statuses_of()), whichever function the nth call is. Past the end of the list nothing fails.
  std::optional<std::size_t> listed{};
};

// What became of a fault.
struct FaultReport {
  std::int64_t calls = 0;     // counted since arm_fault()
  std::int64_t injected = 0;  // of those: failed
  std::string function{};     // the nth call's; empty when there was none
  int status = 0;             // what that one returned; 0 when it did not fail
  // Calls that give an object back and were failed, by function: each leaks its object, as it does
  // in the real library.
  std::map<std::string, std::int64_t> failed_releases;
};

// A table that fails calls while a fault is armed, and else calls `inner`. The same inner table
// gives the same wrapper; a member that is null in `inner` is null in the wrapper. At most four
// tables of a process can be wrapped (throws hiplab::Error). Thread-safe; both tables must stay
// alive for the rest of the process.
const Table& inject_faults(const Table& inner);

// Throws hiplab::Error on a fault that could never happen, naming what is allowed.
void check_fault(const Fault& fault);

// One fault at a time, of the process. Throws hiplab::Error when one is armed already, and what
// check_fault() throws. Thread-safe.
void arm_fault(const Fault& fault);
FaultReport disarm_fault();  // with nothing armed: an empty report
FaultReport fault_report();  // so far; the fault stays armed

// Gives back what failed releases have leaked, through the inner tables, so that a leak count can
// expect exactly these; returns how many. Not while the same objects are in use, and with no fault
// armed.
std::int64_t release_leaked();

// "[function#]n[+|-last]:status", + meaning for good: "3:700", "17+:700", "hipMalloc#2-4:2". Throws
// hiplab::Error naming the form.
Fault parse_fault(const std::string& text);

}  // namespace hiplab::driver
