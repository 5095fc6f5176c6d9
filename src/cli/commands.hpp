// The sub-commands. Each adds itself to the application; its callback sets `exit_code`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace cairn::cli {

struct Invocation {
  std::vector<std::string> arguments;  // of this process, without its name
  double watchdog_seconds = 0;
  int exit_code = 0;
};

void add_info(CLI::App& app, Invocation& invocation);
void add_demo(CLI::App& app, Invocation& invocation);
void add_bench(CLI::App& app, Invocation& invocation);
// On this process alone, errors are exceptions.
void add_bound(CLI::App& app);
void add_pebble(CLI::App& app);

}  // namespace cairn::cli
