// What every part of a backend is built from.
#pragma once

#include "backend/counters.h"
#include "driver/provider.h"

namespace hiplab::backend {

class StreamErrors;

struct Context {
  const driver::Provider& provider;
  Counters& counters;
  StreamErrors* errors = nullptr;  // null: a part on its own, outside a backend
  bool quiet = false;              // says nothing on stderr

  const driver::Table& api() const { return *provider.table; }
};

}  // namespace hiplab::backend
