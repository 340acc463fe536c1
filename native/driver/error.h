// The one exception type: a sentence that names what was wrong, the value, and what is allowed.
#pragma once

#include <stdexcept>
#include <string>

namespace hiplab {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace hiplab
