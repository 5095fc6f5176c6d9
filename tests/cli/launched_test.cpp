#include "cli/launched.hpp"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>

#include "cli/exit_code.hpp"

namespace cairn::cli {
namespace {

// A process that does what `body` does, and ends with this one.
template <class Body>
pid_t started(Body body) {
  const pid_t process = fork();
  if (process != 0) return process;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  body();
  _exit(0);
}

TEST(WaitForLauncher, HandsOnTheExitCode) {
  EXPECT_EQ(wait_for_launcher(started([] { _exit(7); })), 7);
}

TEST(WaitForLauncher, HandsOnTheSignal) {
  EXPECT_EQ(wait_for_launcher(started([] { raise(SIGTERM); })), 128 + SIGTERM);
}

TEST(WaitForLauncher, EndsOneThatMissedTheEndOfARank) {
  const pid_t launcher = started([] {
    started([] {});
    started([] { pause(); });  // its other rank
    for (;;) pause();
  });
  EXPECT_EQ(wait_for_launcher(launcher, 2), exit_failure);
  EXPECT_EQ(kill(launcher, 0), -1);
}

TEST(WaitForLauncher, LeavesALauncherAloneThatCollectsItsRanks) {
  const pid_t launcher = started([] {
    std::signal(SIGCHLD, SIG_IGN);  // the kernel collects them
    for (int i = 0; i < 4; ++i) {
      started([] {});
      sleep(1);
    }
    _exit(5);
  });
  EXPECT_EQ(wait_for_launcher(launcher, 2), 5);
}

}  // namespace
}  // namespace cairn::cli
