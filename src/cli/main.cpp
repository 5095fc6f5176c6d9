// cairn: the command line.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cairn/version.hpp>
#include <cctype>
#include <cstdio>
#include <exception>

#include "cli/command_tree.hpp"
#include "cli/exit_code.hpp"
#include "cli/operation_commands.hpp"
#include "cli/suggest.hpp"

namespace {

// The command that the words have reached: `cairn plan multiply --rank 3` is about `multiply`.
const CLI::App* reached(const CLI::App* app) {
  while (!app->get_subcommands().empty()) app = app->get_subcommands().back();
  return app;
}

std::string called(const CLI::App* app) {
  const std::string name = app->get_name();
  return app->get_parent() == nullptr ? name : called(app->get_parent()) + " " + name;
}

std::vector<std::string> names_of_commands(const CLI::App* app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app->get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_name().empty()) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> names_of_options(const CLI::App* app) {
  std::vector<std::string> names;
  for (; app != nullptr; app = app->get_parent())
    for (const CLI::Option* option : app->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
      for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    }
  return names;
}

std::string unknown_command(const CLI::App* at, const std::string& word) {
  const std::vector<std::string> names = names_of_commands(at);
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return called(at) + ": unknown command '" + word + "'" + cairn::cli::suggestion(word, names) +
         "\nThe commands are: " + all + "\n";
}

std::string unknown_option(const CLI::App* at, const std::string& word) {
  const bool option = word.starts_with('-');
  return called(at) + ": " + (option ? "unknown option '" : "unexpected word '") + word + "'" +
         (option ? cairn::cli::suggestion(word, names_of_options(at)) : "") + "\n`" + called(at) +
         " --help` lists the options.\n";
}

// What CLI11 says of a value, as the other errors of this program say it: "-N is 'x', expected ..."
std::string value_error(const CLI::App* at, const CLI::Error& error) {
  std::string text = error.what();
  if (text.starts_with("--") && text.size() > 3 && std::isalnum(static_cast<unsigned char>(text[3])) == 0 &&
      at->get_option_no_throw(text.substr(1, 2)) != nullptr)
    text.erase(0, 1);  // of -N,--N it takes the longer one
  const std::size_t colon = text.find(": ");
  if (error.get_name() == "ArgumentMismatch" && colon != std::string::npos)
    text = text.substr(0, colon) +
           (text.find("At Most") == std::string::npos ? " needs a value" : " is given more than once");
  else if (colon != std::string::npos && text.compare(colon + 2, 4, "is '") == 0)
    text.erase(colon, 1);
  return called(at) + ": " + text + "\n`" + called(at) + " --help` lists the options.\n";
}

// CLI11 says that a subcommand is missing where one is misspelt, and lists what it could not place backwards.
std::string failure(const CLI::App* app, const CLI::Error& error) {
  const CLI::App* at = reached(app);
  std::vector<std::string> words = app->remaining(true);
  if (words.empty()) return value_error(at, error);
  if (error.get_name() == "RequiredError" && !names_of_commands(at).empty())
    return unknown_command(at, words.front());
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError)) return value_error(at, error);
  const auto option = std::ranges::find_if(words, [](const std::string& w) { return w.starts_with('-'); });
  return unknown_option(at, option != words.end() ? *option : words.front());
}

int run(int argc, char** argv) {
  cairn::cli::Invocation invocation;
  invocation.arguments.assign(argv + 1, argv + argc);

  CLI::App app("Cairn: distributed linear algebra that moves the fewest words and says how close it came",
               "cairn");
  app.set_version_flag("--version", "cairn " CAIRN_VERSION);
  app.require_subcommand(1);
  app.fallthrough();
  app.footer("exit codes: 0 done and right, 1 wrong result, 2 bad arguments, 3 failure (files, memory, MPI)");
  app.failure_message(failure);
  const cairn::cli::Command root(&app);
  root.add_option("--watchdog", invocation.watchdog_seconds,
                  "End with an error after this many seconds without progress (0: never)")
      .non_negative();
  add_demo(root, invocation);
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
  cairn::cli::add_manual(app);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? cairn::cli::exit_right : cairn::cli::exit_bad_arguments;
  }
  return invocation.exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const cairn::Error& e) {
    std::fprintf(stderr, "cairn: %s\n", e.what());
    return cairn::cli::exit_code_of(e.kind());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "cairn: %s\n", e.what());
    return cairn::cli::exit_failure;
  }
}
