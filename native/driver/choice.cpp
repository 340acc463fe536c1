#include "driver/choice.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string_view>
#include <tuple>

#include "driver/counting.h"
#include "driver/error.h"
#include "driver/faults.h"
#include "driver/host/host_provider.h"
#include "driver/host/machine.h"
#include "driver/listed.h"
#include "driver/rocm/rocm_provider.h"
#include "driver/tracing.h"
#include "driver/watching.h"

namespace hiplab::driver {
namespace {

constexpr const char* kDefaultProfile = "splitk";
constexpr int kMaxHostDevices = 16;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// A value and where it came from, for messages.
struct Value {
  std::string text;
  std::string from;
};

Value pick(const std::string& asked, const char* variable, const char* fallback) {
  if (!asked.empty()) return {asked, "the request"};
  const std::string set = environment(variable);
  if (!set.empty()) return {set, variable};
  return {fallback, "the default"};
}

std::string one_of(const Value& value, const char* what, const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), value.text) == allowed.end()) {
    throw Error("unknown " + std::string(what) + " \"" + value.text + "\" (from " + value.from +
                "): allowed are " + listed(allowed));
  }
  return value.text;
}

int device_count(int asked) {
  const Value value = pick(asked == 0 ? "" : std::to_string(asked), "HIPLAB_HOST_DEVICES", "1");
  int count = 0;
  const char* end = value.text.data() + value.text.size();
  const auto [stop, error] = std::from_chars(value.text.data(), end, count);
  if (error != std::errc() || stop != end || count < 1 || count > kMaxHostDevices) {
    throw Error("invalid number of host devices \"" + value.text + "\" (from " + value.from +
                "): allowed are 1 to " + std::to_string(kMaxHostDevices));
  }
  return count;
}

constexpr std::size_t kLongestArch = 40;

std::string arch_name(const std::string& asked) {
  const bool allowed = std::all_of(asked.begin(), asked.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == ':' || c == '+';
  });
  if (!allowed || asked.size() > kLongestArch) {
    throw Error("host_arch is \"" + asked + "\", allowed are at most " +
                std::to_string(kLongestArch) +
                " letters, digits, '-', ':' and '+', as in gfx1010 or gfx90a:xnack-");
  }
  return asked;
}

// What is open in this process. Leaked: providers live as long as the process.
struct State {
  std::mutex mutex;
  const Provider* host = nullptr;
  std::string host_profile;
  int host_devices = 0;
  std::string host_arch;
  std::map<std::tuple<std::string, std::string, int, std::string, bool, bool>, Choice> choices;
  std::map<const Table*, const Provider*> wrapped;  // by the wrapper table
};

State& state() {
  static auto* shared = new State;
  return *shared;
}

std::string host_kind(const std::string& profile, int devices, const std::string& arch) {
  return "profile " + profile + ", " + std::to_string(devices) + " device(s) and " +
         (arch.empty() ? "the profile's architecture" : "architecture " + arch);
}

const Provider& open_host_once(State& s, const Request& request) {
  if (s.host == nullptr) {
    s.host = &host::open_host(request.profile, request.host_devices, request.host_arch);
    s.host_profile = request.profile;
    s.host_devices = request.host_devices;
    s.host_arch = request.host_arch;
  } else if (s.host_profile != request.profile || s.host_devices != request.host_devices ||
             s.host_arch != request.host_arch) {
    throw Error("the software device of this process is open with " +
                host_kind(s.host_profile, s.host_devices, s.host_arch) + ", so " +
                host_kind(request.profile, request.host_devices, request.host_arch) +
                " needs another process");
  }
  return *s.host;
}

Candidate rocm_candidate(const rocm_provider::Verdict& verdict) {
  return {"rocm", verdict.provider != nullptr, verdict.reason};
}

const char* kHostReason = "the embedded software device is always there";

Choice open(State& s, const Request& request) {
  Choice choice;
  if (request.driver != "host") {
    // Whoever insists on ROCm wants to know everything that stands in its way.
    const auto depth =
        request.driver == "rocm" ? rocm_provider::Depth::thorough : rocm_provider::Depth::quick;
    const auto verdict = rocm_provider::look(depth);
    choice.candidates.push_back(rocm_candidate(verdict));
    if (verdict.provider != nullptr) {
      choice.provider = verdict.provider;
      choice.reason = "rocm: " + verdict.reason;
      return choice;
    }
    if (request.driver == "rocm") {
      throw Error("driver rocm was asked for and is not usable: " + verdict.brief +
                  "; doctor --rocm tells what to do");
    }
  }
  choice.provider = &open_host_once(s, request);
  choice.candidates.push_back({"host", true, kHostReason});
  choice.reason = request.driver == "host"
                      ? "host: it was asked for"
                      : "host, as rocm is not usable: " + choice.candidates.front().reason;
  return choice;
}

// `inner` over another table. One provider a table, leaked with the one it wraps.
const Provider* over(State& s, const Provider* inner, const Table& table) {
  const Provider*& wrapped = s.wrapped[&table];
  if (wrapped == nullptr) {
    auto* copy = new Provider(*inner);
    copy->table = &table;
    wrapped = copy;
  }
  return wrapped;
}

}  // namespace

Request resolve(const Request& request) {
  Request r = request;
  r.driver = one_of(pick(request.driver, "HIPLAB_DRIVER", "auto"), "driver", driver_names());
  r.profile =
      one_of(pick(request.profile, "HIPLAB_PROFILE", kDefaultProfile), "profile", profile_names());
  r.host_devices = device_count(request.host_devices);
  r.host_arch = arch_name(request.host_arch);
  return r;
}

Choice choose(const Request& request) {
  const Request r = resolve(request);
  State& s = state();
  std::lock_guard lock(s.mutex);
  const auto key = std::make_tuple(r.driver, r.profile, r.host_devices, r.host_arch, r.count_calls,
                                   r.inject_faults);
  if (auto made = s.choices.find(key); made != s.choices.end()) return made->second;
  Choice choice = open(s, r);
  const Table& opened = *choice.provider->table;
  // Under the faults: what is made to fail is not made, and what is looked at here is no call of
  // the backend's.
  if (r.count_calls) {
    choice.provider = over(s, choice.provider, watch_calls(*choice.provider->table));
  }
  if (r.inject_faults) {
    choice.provider = over(s, choice.provider, inject_faults(*choice.provider->table));
  }
  // Outermost, so that a call that is made to fail is counted as well: it was made.
  if (r.count_calls) {
    choice.provider = over(s, choice.provider, count_calls(*choice.provider->table));
  }
  // Always: a trace may begin when backends are open.
  choice.provider = over(s, choice.provider, trace_calls(*choice.provider->table, opened));
  return s.choices.emplace(key, choice).first->second;
}

std::vector<Candidate> probe(const Request& request) {
  const std::string driver = resolve(request).driver;
  std::vector<Candidate> candidates;
  if (driver != "host") {
    candidates.push_back(rocm_candidate(rocm_provider::look(rocm_provider::Depth::thorough)));
  }
  if (driver != "rocm") candidates.push_back({"host", true, kHostReason});
  return candidates;
}

const std::vector<std::string>& driver_names() {
  static const auto* names = new std::vector<std::string>{"auto", "rocm", "host"};
  return *names;
}

std::map<std::string, std::int64_t> call_counts() { return counted_calls(); }

std::map<std::string, std::int64_t> watched_counts() { return watched_calls(); }

std::map<std::string, std::int64_t> live_objects() {
  if (!host::machine_is_open()) return {};
  return host::machine().live_objects();
}

}  // namespace hiplab::driver
