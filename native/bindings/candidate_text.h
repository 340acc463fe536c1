// A candidate's name as a field of a line.
#pragma once

#include <string>
#include <utility>

#include "backend/candidates.h"

namespace hiplab::bindings {

// Fields end at a blank; a library's name has none, but it is the library's word.
inline std::string told(std::string name) {
  return name.empty() ? "-" : backend::without_blanks(std::move(name));
}

}  // namespace hiplab::bindings
