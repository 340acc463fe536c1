// Names that tell threads of one name apart.
#pragma once

#include <map>
#include <string>

namespace hiplab::sync::detail {

// "queue", then "queue/2", "queue/3" in the order of asking.
class NameBook {
 public:
  std::string unique(const std::string& name) {
    const int number = ++used_[name];
    return number == 1 ? name : name + "/" + std::to_string(number);
  }

 private:
  std::map<std::string, int> used_;
};

}  // namespace hiplab::sync::detail
