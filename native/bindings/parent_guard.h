// A child that ends with its parent, whatever hangs in it.
#pragma once

#include <chrono>

namespace hiplab::bindings {

// Starts a thread that asks every so often whether the parent is still this process's, and ends the
// process with SIGKILL a grace after it was not. The child's Java ends it sooner, with halt; but
// that calls exit(3), which waits for ROCm's callbacks after a queue fault (gfx1151), for the
// destructors of libraries, and for the loader's lock. This thread needs none of them. (A
// PR_SET_PDEATHSIG would follow the parent's thread instead of its process.)
void end_with_parent(std::chrono::milliseconds every, std::chrono::milliseconds grace);

}  // namespace hiplab::bindings
