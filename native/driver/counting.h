// A wrapper table that counts the calls of each function.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "driver/table.h"

namespace hiplab::driver {

// A table that counts, then calls `inner`. The same inner table gives the same wrapper; a member
// that is null in `inner` is null in the wrapper. At most four tables of a process can be wrapped
// (throws hiplab::Error). Thread-safe; both tables must stay alive for the rest of the process.
const Table& count_calls(const Table& inner);

// Calls by function name over all wrapped tables; functions that were never called are absent.
std::map<std::string, std::int64_t> counted_calls();

}  // namespace hiplab::driver
