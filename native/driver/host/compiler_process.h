// Runs a program without a shell and waits for it.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace hiplab::driver::host {

struct Ended {
  bool started = false;
  bool timed_out = false;
  bool told = false;    // how it ended; not when the process ignores SIGCHLD, or waits elsewhere
  int exit_code = -1;   // -1: ended by a signal, or not told
  int signal = 0;       // that ended it
  std::string trouble;  // why it did not start
  std::string output;   // stdout and stderr, at most 1 MiB
};

// Runs arguments[0], a path, in `folder`, with an empty standard input, messages in English and its
// temporary files in `folder`. After `limit` it is killed with all that it started.
Ended run_process(const std::vector<std::string>& arguments, const std::string& folder,
                  std::chrono::milliseconds limit);

}  // namespace hiplab::driver::host
