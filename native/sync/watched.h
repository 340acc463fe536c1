// The one flag that every point, access note, lock and wait looks at.
#pragma once

#include <atomic>

namespace hiplab::sync::detail {

// Whether a Director is installed. Relaxed is enough: who sees it set asks for the director through
// stronger operations, and an event that happens while one is being installed may be missed or
// seen.
extern std::atomic<bool> watched;

inline bool is_watched() { return watched.load(std::memory_order_relaxed); }

}  // namespace hiplab::sync::detail
