#include "driver/host/compiler_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

extern char** environ;

namespace hiplab::driver::host {
namespace {

constexpr std::size_t kMostOutput = std::size_t{1} << 20;

// Variables that would change what is compiled, or be loaded into the compiler (a sanitizer's
// library in LD_PRELOAD serves this process only).
bool kept(std::string_view variable) {
  for (const std::string_view dropped :
       {"LD_PRELOAD=", "CPATH=", "C_INCLUDE_PATH=", "CPLUS_INCLUDE_PATH=", "LIBRARY_PATH=",
        "GCC_EXEC_PREFIX=", "COMPILER_PATH=", "DEPENDENCIES_OUTPUT=", "SUNPRO_DEPENDENCIES=",
        "SOURCE_DATE_EPOCH=", "LC_", "LANG=", "LANGUAGE=", "TMPDIR=", "GCC_COLORS="}) {
    if (variable.starts_with(dropped)) return false;
  }
  return true;
}

std::vector<std::string> environment(const std::string& folder) {
  std::vector<std::string> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (kept(*variable)) all.emplace_back(*variable);
  }
  all.push_back("LC_ALL=C");
  all.push_back("TMPDIR=" + folder);
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (std::string& s : strings) out.push_back(s.data());
  out.push_back(nullptr);
  return out;
}

// In a process group of its own, so that a compiler's own children can be killed with it.
int spawn(const std::vector<std::string>& arguments, const std::string& folder, int output,
          pid_t& child) {
  std::vector<std::string> argument_copies = arguments;
  std::vector<std::string> variables = environment(folder);
  const std::vector<char*> argv = pointers(argument_copies);
  const std::vector<char*> envp = pointers(variables);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  sigset_t none, defaults;
  sigemptyset(&none);
  sigfillset(&defaults);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int failed = posix_spawn(&child, argv[0], &actions, &attributes, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return failed;
}

// Until the child has closed its output; false when the time is over.
bool collect(int input, std::chrono::steady_clock::time_point end, std::string& output) {
  char chunk[1 << 14];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd ready{input, POLLIN, 0};
    const int polled = poll(&ready, 1, static_cast<int>(left.count()));
    if (polled < 0 && errno != EINTR) return true;
    if (polled <= 0) continue;
    const ssize_t n = read(input, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    const std::size_t room = kMostOutput - std::min(kMostOutput, output.size());
    output.append(chunk, std::min(room, static_cast<std::size_t>(n)));
  }
}

}  // namespace

Ended run_process(const std::vector<std::string>& arguments, const std::string& folder,
                  std::chrono::milliseconds limit) {
  Ended ended;
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) {
    ended.trouble = std::strerror(errno);
    return ended;
  }
  pid_t child = -1;
  const int failed = spawn(arguments, folder, ends[1], child);
  close(ends[1]);
  if (failed != 0) {
    close(ends[0]);
    ended.trouble = std::strerror(failed);
    return ended;
  }
  ended.started = true;
  ended.timed_out = !collect(ends[0], std::chrono::steady_clock::now() + limit, ended.output);
  close(ends[0]);
  if (ended.timed_out) kill(-child, SIGKILL);
  int status = 0;
  pid_t waited = -1;
  do {
    waited = waitpid(child, &status, 0);
  } while (waited < 0 && errno == EINTR);
  // Else the kernel (SIGCHLD is ignored) or another thread has taken what it left.
  ended.told = waited == child;
  if (ended.told) {
    if (WIFEXITED(status)) ended.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  }
  return ended;
}

}  // namespace hiplab::driver::host
