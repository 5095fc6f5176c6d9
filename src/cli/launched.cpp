#include "cli/launched.hpp"

#include <fmt/format.h>
#include <sys/time.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include "cli/exit_code.hpp"

namespace cairn::cli {
namespace {

// Empty where the kernel does not tell.
std::vector<pid_t> children_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{0}/task/{0}/children", process));
  std::vector<pid_t> children;
  for (pid_t child; file >> child;) children.push_back(child);
  return children;
}

bool is_zombie(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');  // "12 (cairn) Z ..."
  return name_end != std::string::npos && line.compare(name_end, 3, ") Z") == 0;
}

// Asked once a second: for how long has the same child of the launcher been a zombie?
class Watch {
 public:
  explicit Watch(pid_t launcher) : launcher_(launcher) {}

  int seconds_stuck() {
    const pid_t zombie = first_zombie();
    seconds_ = zombie != 0 && zombie == zombie_ ? seconds_ + 1 : 0;
    zombie_ = zombie;
    return seconds_;
  }

 private:
  pid_t first_zombie() const {
    for (const pid_t child : children_of(launcher_))
      if (is_zombie(child)) return child;
    return 0;
  }

  pid_t launcher_, zombie_ = 0;
  int seconds_ = 0;
};

// waitpid returns once a second: a handler without SA_RESTART.
void tick_every_second() {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  sigaction(SIGALRM, &action, nullptr);
  const itimerval second{.it_interval = {.tv_sec = 1, .tv_usec = 0}, .it_value = {.tv_sec = 1, .tv_usec = 0}};
  setitimer(ITIMER_REAL, &second, nullptr);
}

void end_all(pid_t launcher) {
  for (const pid_t rank : children_of(launcher)) kill(rank, SIGKILL);
  kill(launcher, SIGKILL);
  waitpid(launcher, nullptr, 0);
}

}  // namespace

int wait_for_launcher(pid_t launcher, int patience_seconds) {
  tick_every_second();
  Watch watch(launcher);
  int status = 0;
  while (waitpid(launcher, &status, 0) < 0 && errno == EINTR)
    if (watch.seconds_stuck() >= patience_seconds) {
      end_all(launcher);
      fmt::print(stderr, "cairn: a rank died while it started, and the launcher did not notice\n");
      return exit_failure;
    }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace cairn::cli
