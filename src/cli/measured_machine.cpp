#include "cli/measured_machine.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "cli/node_memory.hpp"
#include "cli/session.hpp"
#include "cli/shared_options.hpp"
#include "comm/collectives.hpp"
#include "plan/measure_machine.hpp"

namespace cairn::cli {
namespace {

using comm::CommView;
using plan::shared_machine;

int shared_number(CommView c, int number) {
  Index value = number;
  comm::broadcast(c, std::span(&value, 1), 0);
  return static_cast<int>(value);
}

// What was kept for these ranks. The same file name on all ranks; only rank 0 reads it.
KnownMachine kept_or_measured(CommView c, const KeptMachine& kept) {
  KnownMachine known = c.rank() == 0 ? kept.load().value_or(KnownMachine{}) : KnownMachine{};
  const bool found = shared_number(c, known.ranks > 0 ? 1 : 0) != 0;
  known.machine = shared_machine(c, known.machine);
  if (found && plan::still_holds(c, known.machine)) return known;
  known = kept.describe(measure_machine(c));
  if (c.rank() == 0) kept.save(known.machine);
  return known;
}

// Starts ranks of this program that measure and keep, and waits for them. Nothing is said where that cannot be.
void measure_by_ranks(int ranks) {
  std::vector<std::string> command = launch_command(ranks, {"info", "--keep"});
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) return;
  if (child == 0) {
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
    execvp(words[0], words.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
}

}  // namespace

Machine measure_machine(CommView c) {
  Machine m = plan::measure_machine(c, 1);
  const auto words = static_cast<double>(node_memory_bytes()) / 8 / comm::ranks_on_this_node(c);
  m.memory_words = comm::allreduce(c.unchecked(), words, comm::ReduceOp::min);
  return m;
}

KnownMachine machine_on(CommView c, const std::string& file) {
  enum : int { given, measured };
  KnownMachine known;
  const KeptMachine kept(c.size(), comm::ranks_on_this_node(c));
  int how = given;
  if (c.rank() == 0) {
    known = known_machine(file);
    if (!known.given && kept.can_be_kept()) how = measured;
  }
  if (shared_number(c, how) == measured) return kept_or_measured(c, kept);
  known.machine = shared_machine(c, known.machine);
  return known;
}

KnownMachine machine_for_plan(const std::string& file, int ranks) {
  KnownMachine known = known_machine(file);
  if (known.given) return known;
  if (const auto kept = KeptMachine(ranks, ranks).load()) return *kept;
  const int here = usual_ranks();
  const KeptMachine usual(here, here);
  if (const auto kept = usual.load()) return *kept;
  if (!usual.can_be_kept() || under_launcher()) return known;
  measure_by_ranks(here);
  return usual.load().value_or(known);
}

}  // namespace cairn::cli
