// Where raw calls go: the driver table that this process's default options choose, as every backend
// with those options has it.
#pragma once

#include <string>

#include "driver/provider.h"

namespace hiplab::raw {

// What is chosen by the first raw call. Thread-safe; without effect once that was made.
void set_request(const driver::Request& request);

// The choice, made by the first call; one that fails is not remembered. One difference from
// driver::choose: where rocm is insisted on and has no device, raw calls reach the libraries all
// the same, as those answer without one. Throws hiplab::Error. Thread-safe.
const driver::Choice& choice();

// Its table: one atomic load after the first call.
const driver::Table& table();

// One line: provider, device, and why this provider.
std::string describe();

}  // namespace hiplab::raw
