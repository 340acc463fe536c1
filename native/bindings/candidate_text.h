// A candidate's name as a field of a line.
#pragma once

#include <algorithm>
#include <string>

namespace hiplab::bindings {

// Fields end at a blank; a library's name has none, but it is the library's word.
inline std::string told(std::string name) {
  if (name.empty()) return "-";
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return c <= ' '; }, '_');
  return name;
}

}  // namespace hiplab::bindings
