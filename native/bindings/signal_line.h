// A line on standard error, written from a signal handler.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace hiplab::bindings {

// Fields between tabs. Async-signal-safe. Sent in one write, so that no other thread's output cuts
// it; what does not fit is left out.
class SignalLine {
 public:
  explicit SignalLine(const char* mark) {
    put('\n');  // a line of its own, also after a text without an end of line
    text(mark);
  }

  SignalLine& field(const char* value) {
    put('\t');
    text(value == nullptr ? "" : value);
    return *this;
  }

  SignalLine& hex(std::uintptr_t value) {
    char digits[2 * sizeof value + 1];
    char* at = digits + sizeof digits - 1;
    *at = '\0';
    do {
      *--at = "0123456789abcdef"[value % 16];
      value /= 16;
    } while (value != 0);
    return field(at);
  }

  void send() {
    buffer_[used_++] = '\n';
    [[maybe_unused]] const auto sent = write(STDERR_FILENO, buffer_, used_);
  }

 private:
  void text(const char* value) {
    for (; *value != '\0'; ++value) put(static_cast<unsigned char>(*value) < ' ' ? ' ' : *value);
  }
  void put(char c) {
    if (used_ + 1 < sizeof buffer_) buffer_[used_++] = c;
  }

  char buffer_[1024];
  std::size_t used_ = 0;
};

}  // namespace hiplab::bindings
