// What every part of a backend is built from.
#pragma once

#include "backend/counters.h"
#include "driver/provider.h"

namespace hiplab::backend {

struct Context {
  const driver::Provider& provider;
  Counters& counters;

  const driver::Table& api() const { return *provider.table; }
};

}  // namespace hiplab::backend
