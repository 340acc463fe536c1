// hiplab.h: child processes of a campaign, and reading what they said.
#include <cxxabi.h>
#include <sys/resource.h>

#include <cstdlib>
#include <memory>

#include "bindings/crash_lines.h"
#include "bindings/hiplab.h"
#include "bindings/parent_guard.h"
#include "driver/error.h"
#include "sync/recorder.h"
#include "sync/thread_info.h"

namespace hiplab::bindings {
namespace {

// Where the arguments begin: behind the first ( that is neither of a template's arguments nor of
// "(anonymous namespace)" or "operator()".
std::size_t arguments_of(const std::string& function) {
  int depth = 0;
  for (std::size_t i = 0; i < function.size(); ++i) {
    if (function[i] == '<') ++depth;
    if (function[i] == '>') --depth;
    if (function[i] != '(' || depth > 0) continue;
    if (function.compare(i, 21, "(anonymous namespace)") == 0) {
      i += 20;
    } else if (function.compare(i, 3, "()(") == 0) {
      i += 1;
    } else {
      return i;
    }
  }
  return function.size();
}

}  // namespace

void prepareChild() {
  // A crash is an outcome to report, not a core file of gigabytes to write first.
  const rlimit none{0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) {
    throw Error("core dumps could not be turned off: setrlimit(RLIMIT_CORE, 0) failed");
  }
  end_with_parent(std::chrono::seconds(1), std::chrono::seconds(5));
  install_crash_lines();
  sync::record_points(true);
  // The kernel knows a JVM's first thread as "java".
  sync::name_thread("main");
}

int pointsSignal() { return points_signal(); }

std::string functionName(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  if (symbol.compare(0, 2, "_Z") != 0 || text == nullptr) return symbol;
  const std::string function = text.get();
  return function.substr(0, arguments_of(function));
}

}  // namespace hiplab::bindings
