// openBackend's options text, read.
#pragma once

#include <string>

#include "driver/provider.h"
#include "forms/form_choice.h"

namespace hiplab::bindings {

struct Options {
  driver::Request request;
  forms::FormChoice forms;
};

// One "key=value" a line; blank lines are skipped. Throws hiplab::Error that names an unknown or
// repeated key, or a wrong value, and what is allowed.
Options parse_options(const std::string& text);

}  // namespace hiplab::bindings
