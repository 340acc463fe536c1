// Why ROCm cannot be used.
#pragma once

#include <string>

namespace hiplab::driver::rocm_provider {

// One reason, and the one thing to do about it.
struct Reason {
  std::string what;  // a clause; empty: there is none
  std::string step;  // what a person does next, a command where there is one

  explicit operator bool() const { return !what.empty(); }
  std::string text() const { return step.empty() ? what : what + ": " + step; }
};

}  // namespace hiplab::driver::rocm_provider
