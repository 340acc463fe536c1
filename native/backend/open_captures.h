// The captures that this process's backends and raw calls have open, and calls that no capture
// survives.
//
// hipblasLtCreate and hipblasLtDestroy are such calls: whatever the modes, a relaxed one among
// them, the real create ends the process while any stream captures (rocm-libraries 11838). Captures
// that were begun neither by a backend nor by a raw call are not known here.
#pragma once

#include <functional>

namespace hiplab::backend {

// One capture, from before it begins until after it has ended. Waits while such a call is running.
// The last one to go makes the calls that were put off; it must hold no lock, then.
class OpenCapture {
 public:
  OpenCapture();
  ~OpenCapture();
  OpenCapture(const OpenCapture&) = delete;
  OpenCapture& operator=(const OpenCapture&) = delete;
};

// Makes the call, unless a capture is open; none begins meanwhile. Returns whether it was made.
bool outside_captures(const std::function<void()>& call);

// Makes the call, now or when the last open capture has ended. It may not throw, and may come on
// another thread.
void outside_captures_or_later(std::function<void()> call) noexcept;

}  // namespace hiplab::backend
