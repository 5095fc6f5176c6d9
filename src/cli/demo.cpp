// cairn demo: a guided tour in the terminal. Each step is a command that can be copied, run here as it is shown.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>

#include "base/error.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/session.hpp"
#include "cli/shared_options.hpp"

namespace cairn::cli {
namespace {

struct TourStep {
  std::string title, about, command;
};

constexpr std::size_t first_lines = 20, last_lines = 4;  // of what a step prints; the verdict comes last

std::vector<TourStep> tour(Index ranks) {
  const auto on = fmt::format("--ranks {}", ranks);
  return {{"A product, planned and run",
           "Before anything moves, Cairn knows how many words each rank will receive, and how few any "
           "algorithm could do "
           "with (the bound). Then it runs, counts what really moved, and checks the result.",
           fmt::format("cairn multiply -N 768 {} --repeat 1", on)},
          {"Its picture",
           "The product is a box of multiplications, cut into one brick per rank. The picture shows who has "
           "which brick; "
           "with --report instead you get a page with timelines, too.",
           fmt::format("cairn plan multiply -N 768 {} --draw cairn-bricks.svg", on)},
          {"A system of equations, solved",
           "LU with pivoting on all ranks, two triangular solves, and the backward error.",
           fmt::format("cairn solve -N 500 {} --repeat 1", on)},
          {"A sparse product",
           "The matrices are sampled first: which of eleven algorithms moves least depends on where their "
           "entries are.",
           fmt::format("cairn spgemm --gen \"er n=4096 d=8\" {} --repeat 1", on)},
          {"A bound for a loop of your own",
           "Write the loop; Cairn derives how many words any schedule of it must load and store, and the "
           "shape of the blocks "
           "that get there.",
           fmt::format("echo 'for i in 0..N {{ for j in 0..N {{ for k in 0..N {{ C[i,j] = f(C[i,j], A[i,k], "
                       "B[k,j]); }} }} }}' "
                       "| cairn bound program - --set N=4096 {} --memory 1e6",
                       on)}};
}

// In lines of at most 96 letters.
std::string wrapped(const std::string& text) {
  constexpr std::size_t most = 96;
  std::string lines;
  std::size_t begin = 0;
  while (text.size() - begin > most) {
    const std::size_t end = text.rfind(' ', begin + most);
    lines += text.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return lines + text.substr(begin) + "\n";
}

void print_shortened(const std::vector<std::string>& lines) {
  const std::size_t shown = first_lines + last_lines;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines.size() > shown + 2 && i == first_lines)
      fmt::print("... {} more lines: run the command to see them\n", lines.size() - shown);
    if (lines.size() <= shown + 2 || i < first_lines || i + last_lines >= lines.size())
      fmt::print("{}", lines[i]);
  }
}

// Runs the command in a shell where `cairn` is this program. Returns its exit code.
int run_step(const TourStep& step, const std::string& program) {
  const std::string line = fmt::format("cairn() {{ '{}' \"$@\"; }}; {}", program, step.command);
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(line.c_str(), "r"), &pclose);
  require<IoError>(pipe != nullptr, "cannot start a shell");
  std::vector<std::string> lines(1);
  for (int ch; (ch = std::fgetc(pipe.get())) != EOF;) {
    lines.back() += static_cast<char>(ch);
    if (ch == '\n') lines.emplace_back();
  }
  print_shortened(lines);
  const int status = pclose(pipe.release());
  return WIFEXITED(status) ? WEXITSTATUS(status) : exit_failure;
}

// False where the user has seen enough. Without a terminal the tour runs through.
bool wants_more() {
  if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0) return true;
  fmt::print("\nEnter goes on, q and Enter ends the tour: ");
  std::fflush(stdout);
  std::string answer;
  return static_cast<bool>(std::getline(std::cin, answer)) && answer != "q";
}

int run_tour(Index ranks) {
  require(!under_launcher(), "demo starts its own ranks: run it without a launcher");
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::vector<TourStep> steps = tour(ranks);
  fmt::print("A tour in {} steps. Each is a command you can copy; `cairn` is {}.\n", steps.size(), program);
  int worst = exit_right;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    fmt::print("\n{}. {}\n\n{}\n  $ {}\n\n", i + 1, steps[i].title, wrapped(steps[i].about),
               steps[i].command);
    std::fflush(stdout);
    worst = std::max(worst, run_step(steps[i], program));
    if (i + 1 < steps.size() && !wants_more()) return worst;
  }
  fmt::print("\nThat was the tour. `cairn --help` lists all commands, docs/guide explains them.\n");
  return worst;
}

}  // namespace

void add_demo(Command app, Invocation& invocation) {
  auto ranks = std::make_shared<Index>(usual_ranks());
  const Command demo = app.add_subcommand("demo", "A guided tour in five steps, each a command to copy");
  add_size(demo, "--ranks,-P", *ranks, "Number of ranks (default: one per core, at least 2)");
  demo.callback([ranks, &invocation] { invocation.exit_code = run_tour(*ranks); });
}

}  // namespace cairn::cli
