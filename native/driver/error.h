// The one exception type: a sentence that names what was wrong, the value, and what is allowed.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace hiplab {

// A driver call that failed, for those who want to act on it.
struct FailedCall {
  std::string function;  // "hipMalloc"; empty when the error is no failed call
  int status = 0;        // the number that it returned
  std::string name;      // "hipErrorOutOfMemory"
};

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  Error(const std::string& sentence, FailedCall call)
      : std::runtime_error(sentence), call_(std::move(call)) {}

  const FailedCall& call() const { return call_; }

 private:
  FailedCall call_;
};

}  // namespace hiplab
