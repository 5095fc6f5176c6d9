// cairn: the command line.
#include <CLI/CLI.hpp>
#include <cairn/version.hpp>
#include <cstdio>
#include <exception>

#include "cli/operation_commands.hpp"

namespace {

// CLI11 says that a subcommand is missing where one is misspelt; this names the word and what it could be.
std::string failure(const CLI::App* app, const CLI::Error& error) {
  const CLI::App* at = app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().back();
  const std::vector<std::string> words = app->remaining(true);
  const auto commands =
      at->get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
  if (error.get_name() != "RequiredError" || words.empty() || commands.empty())
    return CLI::FailureMessage::simple(app, error);
  std::string names;
  for (const CLI::App* command : commands) names += (names.empty() ? "" : ", ") + command->get_name();
  return "cairn: '" + words.front() + "' is no subcommand, expected one of " + names + "\n";
}

int run(int argc, char** argv) {
  cairn::cli::Invocation invocation;
  invocation.arguments.assign(argv + 1, argv + argc);

  CLI::App app("Cairn: distributed linear algebra that moves the fewest words and says how close it came",
               "cairn");
  app.set_version_flag("--version", "cairn " CAIRN_VERSION);
  app.add_option("--watchdog", invocation.watchdog_seconds,
                 "End with an error when nothing progresses for so many seconds (0: never)")
      ->check(CLI::NonNegativeNumber);
  app.require_subcommand(1);
  app.fallthrough();
  app.failure_message(failure);
  const cairn::cli::Command root(&app);
  add_info(root, invocation);
  add_bench(root, invocation);
  add_fast(root, invocation);
  add_convert(root, invocation);
  add_bound(root);
  add_pebble(root);
  add_layout(root);
  add_tune(root);
  add_plan(root);
  add_operations(root, invocation);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e);
  }
  return invocation.exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "cairn: %s\n", e.what());
    return 1;
  }
}
