// openBackend's options text, read.
#pragma once

#include <optional>
#include <string>

#include "driver/faults.h"
#include "driver/provider.h"
#include "forms/form_choice.h"

namespace hiplab::bindings {

struct Options {
  driver::Request request;
  forms::FormChoice forms;
  std::optional<driver::Fault> fault;  // to be armed when the backend opens
  bool quiet = false;
};

// One "key=value" a line; blank lines are skipped. Throws hiplab::Error that names an unknown or
// repeated key, or a wrong value, and what is allowed.
Options parse_options(const std::string& text);

}  // namespace hiplab::bindings
