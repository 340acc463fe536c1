// What a child says on standard error when it crashes or is asked: lines of fields between tabs.
//
//   @hiplab-crash  signal    SIGABRT         worker-3     the signal, and the thread that got it
//   @hiplab-crash  what      std::bad_alloc  its what()   the exception that nobody caught
//   @hiplab-crash  frame     libc.so.6       1a2b3c       free    innermost first; offset in hex
//   @hiplab-crash  end
//   @hiplab-points worker-3  pipe.found      pipe.end             oldest first
//
// A frame's offset lies within its library, at the call for all but the innermost: what addr2line
// takes. Its function, mangled, is empty where the library does not export it (dladdr reads
// .dynsym): functions of unnamed namespaces and libc's inner ones.
#pragma once

namespace hiplab::bindings {

// The signal that a child answers with its points. HotSpot and the JDK take SIGQUIT, SIGHUP,
// SIGINT, SIGTERM, SIGUSR2 and SIGRTMAX - 2; glibc the two below SIGRTMIN.
int points_signal();

// Installs the handlers of SIGABRT and of points_signal(), and the std::terminate handler. The JVM
// keeps SIGSEGV, SIGBUS, SIGFPE and SIGILL: it writes its report and then calls abort(). Throws
// hiplab::Error when the system refuses.
void install_crash_lines();

}  // namespace hiplab::bindings
