// Which form each part of a backend takes.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backend/parts.h"

namespace hiplab::forms {

enum class Form { fixed, filed };

// Part names in the order in which they are told: "device-map", "rocblas-handle", ...
const std::vector<std::string>& part_names();

// "FIXED" or "FILED"; throws hiplab::Error naming the value and what is allowed.
Form parse_form(const std::string& name);

// A form for every part, FIXED unless set. Set throws on an unknown part.
class FormChoice {
 public:
  void set_all(Form form);
  void set(const std::string& part, Form form);
  Form of(const std::string& part) const;

 private:
  std::map<std::string, Form> forms_;
};

std::unique_ptr<backend::Parts> make_parts(const FormChoice& choice);

}  // namespace hiplab::forms
