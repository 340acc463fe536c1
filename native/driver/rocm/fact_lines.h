// Facts as text: one "key=value" a line.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>

#include "driver/rocm/reason.h"

namespace hiplab::driver::rocm_provider {

class FactLines {
 public:
  void put(const std::string& key, std::string value) {
    std::replace(value.begin(), value.end(), '\n', ' ');
    out_ << key << '=' << value << '\n';
  }
  void put(const std::string& key, bool value) { put(key, std::string(value ? "1" : "0")); }
  void put(const std::string& key, int value) { put(key, std::to_string(value)); }
  void put(const std::string& key, const char* value) { put(key, std::string(value)); }
  void put(const std::string& key, const Reason& reason) {
    put(key + ".trouble", reason.what);
    put(key + ".step", reason.step);
  }
  std::string text() const { return out_.str(); }

 private:
  std::ostringstream out_;
};

}  // namespace hiplab::driver::rocm_provider
