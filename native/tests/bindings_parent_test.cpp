// A child that hangs ends with its parent all the same.
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>

#include "bindings/parent_guard.h"
#include "gtest/gtest.h"

namespace hiplab::bindings {
namespace {

using std::chrono::milliseconds;

// At exit, as ROCm's may with callbacks pending.
struct Hangs {
  ~Hangs() {
    for (;;) pause();
  }
};

// The parent forks a child and ends once that is set up; this process inherits the child.
pid_t orphan(bool guarded) {
  int pipe_ends[2];
  EXPECT_EQ(pipe(pipe_ends), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    const pid_t child = fork();
    if (child == 0) {
      if (guarded) end_with_parent(milliseconds(5), milliseconds(20));
      pid_t self = getpid();
      if (write(pipe_ends[1], &self, sizeof self) != sizeof self) _exit(3);
      static Hangs hangs;
      std::exit(0);
    }
    pid_t told = 0;
    _exit(read(pipe_ends[0], &told, sizeof told) == sizeof told &&
                  write(pipe_ends[1], &told, sizeof told) == sizeof told
              ? 0
              : 4);
  }
  int status = 0;
  EXPECT_EQ(waitpid(parent, &status, 0), parent);
  EXPECT_EQ(status, 0);
  pid_t child = 0;
  EXPECT_EQ(read(pipe_ends[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  return child;
}

TEST(BindingsParent, AChildThatHangsAtItsExitEndsWithItsParent) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  int status = 0;
  const pid_t guarded = orphan(true);
  EXPECT_EQ(waitpid(guarded, &status, 0), guarded);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
}

TEST(BindingsParent, WithoutTheGuardItStays) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  int status = 0;
  const pid_t alone = orphan(false);
  usleep(200'000);
  EXPECT_EQ(waitpid(alone, &status, WNOHANG), 0);
  kill(alone, SIGKILL);
  EXPECT_EQ(waitpid(alone, &status, 0), alone);
}

}  // namespace
}  // namespace hiplab::bindings
