#include "bindings/parent_guard.h"

#include <unistd.h>

#include <csignal>
#include <thread>

namespace hiplab::bindings {

void end_with_parent(std::chrono::milliseconds every, std::chrono::milliseconds grace) {
  std::thread([every, grace, parent = getppid()] {
    while (getppid() == parent) std::this_thread::sleep_for(every);
    std::this_thread::sleep_for(grace);
    kill(getpid(), SIGKILL);
  }).detach();
}

}  // namespace hiplab::bindings
