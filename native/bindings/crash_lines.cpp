#include "bindings/crash_lines.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <typeinfo>

#include "bindings/signal_line.h"
#include "driver/error.h"
#include "sync/recorder.h"

namespace hiplab::bindings {
namespace {

constexpr const char* crash_mark = "@hiplab-crash";
constexpr const char* points_mark = "@hiplab-points";

// Deep enough for what the JVM calls between its handler and abort().
constexpr int max_frames = 64;

// The thread that reports. Others that abort meanwhile wait for the process to end.
constinit std::atomic<long> reporting{0};

long thread_id() { return syscall(SYS_gettid); }

void tell_points() {
  sync::visit_recorded(
      [](const sync::RecordedThread& thread, void*) {
        SignalLine line(points_mark);
        line.field(thread.name);
        for (std::size_t i = 0; i < thread.count; ++i) line.field(thread.points[i]);
        line.send();
      },
      nullptr);
}

void tell_signal() {
  struct Search {
    long id;
    const char* name;
  } search{thread_id(), ""};
  sync::visit_recorded(
      [](const sync::RecordedThread& thread, void* context) {
        auto* const wanted = static_cast<Search*>(context);
        if (thread.id == wanted->id) wanted->name = thread.name;
      },
      &search);
  SignalLine(crash_mark).field("signal").field("SIGABRT").field(search.name).send();
}

// backtrace() and dladdr() are not on the list of async-signal-safe functions; they allocate
// nothing once the unwinder is loaded, and the lock of dladdr is recursive. Told last, in case they
// fail.
void tell_frames(void* interrupted) {
  void* frames[max_frames];
  const int count = backtrace(frames, max_frames);
  int first = 0;
  while (first < count && frames[first] != interrupted) ++first;
  if (first == count) first = 0;
  for (int i = first; i < count; ++i) {
    // A return address may lie behind the last instruction of its function.
    const char* const address = static_cast<const char*>(frames[i]) - (i == first ? 0 : 1);
    Dl_info info{};
    if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) continue;
    const char* const slash = std::strrchr(info.dli_fname, '/');
    SignalLine(crash_mark)
        .field("frame")
        .field(slash == nullptr ? info.dli_fname : slash + 1)
        .hex(static_cast<std::uintptr_t>(address - static_cast<const char*>(info.dli_fbase)))
        .field(info.dli_sname)
        .send();
  }
  SignalLine(crash_mark).field("end").send();
}

void* interrupted_at(void* context) {
#ifdef __x86_64__
  const auto* const at = static_cast<const ucontext_t*>(context);
  return reinterpret_cast<void*>(at->uc_mcontext.gregs[REG_RIP]);
#else
  return nullptr;
#endif
}

void on_abort(int, siginfo_t*, void* context) {
  const int error = errno;
  long nobody = 0;
  if (reporting.compare_exchange_strong(nobody, thread_id())) {
    tell_signal();
    tell_points();
    tell_frames(interrupted_at(context));
  } else if (nobody != thread_id()) {
    // Bounded: the one that reports may wait for a lock that this one has.
    const timespec patience{2, 0};
    nanosleep(&patience, nullptr);
  }
  std::signal(SIGABRT, SIG_DFL);
  std::raise(SIGABRT);  // blocked until this returns
  errno = error;
}

void on_question(int) {
  const int error = errno;
  tell_points();
  errno = error;
}

// Runs outside of a signal handler: it may allocate.
[[noreturn]] void on_terminate() {
  const char* type = "no exception";
  std::string name;
  std::string what;
  if (const std::type_info* thrown = abi::__cxa_current_exception_type()) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(thrown->name(), nullptr, nullptr, &status), &std::free);
    name = text == nullptr ? thrown->name() : text.get();
    type = name.c_str();
    try {
      throw;
    } catch (const std::exception& error) {
      what = error.what();
    } catch (...) {
      // The type is all there is to say.
    }
  }
  SignalLine(crash_mark).field("what").field(type).field(what.c_str()).send();
  std::abort();
}

void handle(int signal, struct sigaction& action) {
  sigemptyset(&action.sa_mask);
  if (sigaction(signal, &action, nullptr) != 0) {
    throw Error("the handler of signal " + std::to_string(signal) +
                " could not be installed: " + std::strerror(errno));
  }
}

}  // namespace

int points_signal() { return SIGRTMIN + 7; }

void install_crash_lines() {
  // The first call loads the unwinder, which allocates.
  void* frame[1];
  backtrace(frame, 1);

  struct sigaction crash {};
  crash.sa_sigaction = on_abort;
  crash.sa_flags = SA_SIGINFO | SA_ONSTACK;
  handle(SIGABRT, crash);
  struct sigaction question {};
  question.sa_handler = on_question;
  question.sa_flags = SA_RESTART | SA_ONSTACK;
  handle(points_signal(), question);
  std::set_terminate(on_terminate);
}

}  // namespace hiplab::bindings
