// The fault sweep: a workload is run again and again, and each time another of its driver calls
// fails, with each status that this call may return.
//
// After each fault there must be a clear exception or a right result; the next use of the same
// backend must be right, on the route that the source says; and when all is closed nothing may be
// left alive, but for the objects whose release was itself made to fail: those the sweep gives back
// through the inner table (driver::release_leaked()) before it counts.
#pragma once

#include <algorithm>
#include <iostream>
#include <set>

#include "fault_device.h"

namespace hiplab::sweep {

using namespace hiplab::rocm;  // NOLINT: tests look at driver calls in ROCm's own names
using backend::Backend;
using driver::FaultReport;

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// One use of a backend. run() makes what is missing, so that it can be called again after it threw.
class Workload {
 public:
  virtual ~Workload() = default;

  // Throws, or says whether every result was right.
  virtual bool run() = 0;

  // Called after a run without a fault that followed one with the fault told of: what is not as
  // the source says it must be then; empty when all is.
  virtual std::string settled(const FaultReport& fault) { return {}; }

  // Whether the source gives up for good on what failed, so that the next use may throw, too.
  virtual bool given_up(const FaultReport& fault) { return false; }
};

// What a workload is called and how one is made on a fresh backend.
struct Subject {
  std::string name;
  std::function<std::unique_ptr<Workload>(Backend&)> make;
  std::function<std::unique_ptr<backend::Parts>()> parts;
  int current_device = 0;
  // It abandons work. Scratch of that is left allocated when the device is lost: a kernel may still
  // write there (backend/callback_tracker.h).
  // And it looks again and again whether work has ended: one run makes a few calls more than
  // another.
  bool abandons = false;
  // Sentences of the parts themselves, for failures that they word on their own.
  std::vector<std::string> sentences;
};

struct Tally {
  std::int64_t calls = 0;       // driver calls of the workload, closing included
  std::int64_t faults = 0;      // runs in which one was injected
  std::int64_t exceptions = 0;  // of those: ended in a clear exception
  std::int64_t right = 0;       // of those: the result was right all the same
  bool counts_vary = false;     // between two runs
  std::set<std::string> complaints;
};

// Why the exception is not a clear one; empty when it is.
inline std::string unclear(const Subject& subject, const Error& error, const FaultReport& fault,
                           bool for_good) {
  const std::string sentence = error.what();
  const FailedCall& call = error.call();
  if (!call.function.empty()) {
    const bool named = sentence.find(call.function) != sentence.npos &&
                       sentence.find(call.name) != sentence.npos && call.status != 0;
    if (!named) return "does not name its call and status: " + sentence;
    if (for_good) return {};  // any later call may be the one that is told
    if (call.function == fault.function && call.status == fault.status) return {};
    return "names another call than the one that failed: " + sentence;
  }
  for (const std::string& known : subject.sentences) {
    if (sentence.find(known) != sentence.npos) return {};
  }
  return "is no failed call and no sentence of a part: " + sentence;
}

// A kind of object that scratch is made of.
inline bool may_be_scratch(const std::string& kind) {
  static const std::set<std::string> kinds{"memory_blocks", "memory_bytes", "descriptors",
                                           "layouts"};
  return kinds.contains(kind);
}

class Sweep {
 public:
  explicit Sweep(Subject subject) : subject_(std::move(subject)), watchdog_(subject_.name) {
    tally_.counts_vary = subject_.abandons;
  }

  // Every call, every status.
  Tally each_call() {
    // Sanitized runs are slow and look for other things: the likeliest status of each call.
    for (std::int64_t n = 1;; ++n) {
      for (std::size_t listed = 0;; ++listed) {
        driver::Fault fault;
        fault.n = n;
        fault.listed = listed;
        const FaultReport report = once(fault);
        if (report.injected == 0) {
          if (report.calls < n) {
            tally_.calls = report.calls;
            return tell("each call, each status");
          }
          break;  // no further status of this call
        }
        if (kSanitized) break;
      }
      if (tally_.complaints.size() > 20) return tell("given up");
    }
  }

  // The device is lost from the nth call on.
  Tally lost_device() {
    for (std::int64_t n = 1;; n += kSanitized ? 3 : 1) {
      driver::Fault fault;
      fault.n = n;
      fault.for_good = true;
      fault.status = hipErrorIllegalAddress;
      const FaultReport report = once(fault);
      if (report.injected == 0) {
        tally_.calls = report.calls;
        return tell("700 from the nth call on");
      }
      if (tally_.complaints.size() > 20) return tell("given up");
    }
  }

 private:
  // A fresh backend, used under the fault, then used again without it, then closed.
  FaultReport once(const driver::Fault& fault) {
    now_ = "call " + std::to_string(fault.n) +
           (fault.listed ? ", status " + std::to_string(*fault.listed) : ", for good");
    watchdog_.now(now_);
    make_current(subject_.current_device);
    const auto before = driver::live_objects();
    FaultReport report;
    driver::arm_fault(fault);
    {
      Backend backend(*device().provider, subject_.parts());
      std::unique_ptr<Workload> workload = subject_.make(backend);
      const bool ended_well = use(*workload, fault.for_good);
      report = driver::fault_report();
      if (report.injected != 0 && !fault.for_good) {
        driver::disarm_fault();
        use_again(*workload, report);
      } else if (!ended_well && report.injected == 0) {
        complain(report, "fails without a fault");
      }
      workload.reset();
    }
    if (const FaultReport all = driver::disarm_fault(); report.injected == 0 || fault.for_good) {
      const bool closing = report.injected == 0 && all.injected != 0;
      report = all;
      if (closing) {
        ++tally_.faults;
        ++tally_.right;  // of the run: it was over
      }
    }
    driver::release_leaked();
    for (const auto& [kind, count] : driver::live_objects()) {
      const auto was = before.find(kind);
      const std::int64_t change = count - (was == before.end() ? 0 : was->second);
      if (change > 0 && subject_.abandons && fault.for_good && may_be_scratch(kind)) continue;
      if (change != 0) complain(report, "left " + std::to_string(change) + " " + kind);
    }
    return report;
  }

  bool use(Workload& workload, bool for_good) {
    std::string thrown;
    bool right = false;
    bool threw = false;
    try {
      right = workload.run();
    } catch (const Error& error) {
      threw = true;
      const FaultReport fault = driver::fault_report();
      const std::string why = unclear(subject_, error, fault, for_good);
      if (!why.empty()) complain(fault, "ends in an exception that " + why);
    } catch (const std::exception& error) {
      threw = true;
      complain(driver::fault_report(), std::string("ends in a foreign exception: ") + error.what());
    }
    const FaultReport fault = driver::fault_report();
    if (fault.injected == 0) return right;
    ++tally_.faults;
    if (threw) {
      ++tally_.exceptions;
    } else if (right) {
      ++tally_.right;
    } else {
      complain(fault, "gives a wrong result and no exception");
    }
    return right;
  }

  void use_again(Workload& workload, const FaultReport& fault) {
    make_current(subject_.current_device);
    try {
      if (!workload.run()) complain(fault, "the next use gives a wrong result");
      const std::string wrong = workload.settled(fault);
      if (!wrong.empty()) complain(fault, "after the next use: " + wrong);
    } catch (const std::exception& error) {
      const std::string sentence = error.what();
      const bool known =
          std::any_of(subject_.sentences.begin(), subject_.sentences.end(),
                      [&](const std::string& one) { return sentence.find(one) != sentence.npos; });
      if (!known || !workload.given_up(fault)) complain(fault, "the next use fails: " + sentence);
    }
  }

  void complain(const FaultReport& fault, const std::string& what) {
    tally_.complaints.insert((fault.function.empty()
                                  ? "no call"
                                  : fault.function + " -> " + std::to_string(fault.status)) +
                             " (" + now_ + "): " + what);
  }

  Tally tell(const std::string& kind) {
    std::cout << "[ fault sweep ] " << subject_.name << ", " << kind << ": " << tally_.calls
              << " driver calls, " << tally_.faults << " faults injected, " << tally_.exceptions
              << " exceptions, " << tally_.right << " right results, " << tally_.complaints.size()
              << " complaints" << std::endl;
    return tally_;
  }

  const Subject subject_;
  Watchdog watchdog_;
  Tally tally_;
  std::string now_;
};

inline std::string listed(const std::set<std::string>& complaints) {
  std::string out;
  for (const std::string& one : complaints) out += "  " + one + "\n";
  return out;
}

}  // namespace hiplab::sweep
