// The one word that every point, access note, lock and wait looks at.
#pragma once

#include <atomic>

namespace hiplab::sync::detail {

// Who looks on: a Director, which sees everything; the flight recorder and the trace, which see
// points.
enum Watch : unsigned { directed = 1, recorded = 2, traced = 4 };

// Relaxed is enough: who sees a bit set asks for the director or the thread's ring through stronger
// operations, and an event that happens while one is being installed may be missed or seen.
extern std::atomic<unsigned> watched;

inline bool is_watched() { return (watched.load(std::memory_order_relaxed) & directed) != 0; }
inline bool is_point_watched() { return watched.load(std::memory_order_relaxed) != 0; }

}  // namespace hiplab::sync::detail
