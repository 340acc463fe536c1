// The parts of driver/watching.h that note objects: blocks of memory with what orders their uses,
// and descriptors.
#pragma once

#include <cstddef>

#include "driver/table.h"

namespace hiplab::driver {

// Wrapped tables have slots known at compile time, as C functions carry no state.
inline constexpr std::size_t kWatchedTables = 4;

// Put wrappers of functions of `inner` into `wrapper`; what is null stays null. Once for a slot,
// before the wrapper is handed out.
void watch_memory(std::size_t slot, const Table& inner, Table& wrapper);  // and streams, events
void watch_descriptors(std::size_t slot, const Table& inner, Table& wrapper);  // and layouts

template <typename Member>
void replace_if_there(Member& member, Member watched) {
  if (member != nullptr) member = watched;
}

}  // namespace hiplab::driver
