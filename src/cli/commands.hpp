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

// A whole number, `least` or more; the error names the value and what was expected.
inline CLI::Validator whole_number(long long least) {
  return CLI::Validator(
      [least](const std::string& text) -> std::string {
        long long value = 0;
        if (CLI::detail::lexical_cast(text, value) && value >= least) return {};
        return "is '" + text + "', expected a whole number, " + std::to_string(least) + " or more";
      },
      "");
}

void add_info(CLI::App& app, Invocation& invocation);
void add_demo(CLI::App& app, Invocation& invocation);
void add_bench(CLI::App& app, Invocation& invocation);
void add_convert(CLI::App& app, Invocation& invocation);
// On this process alone, errors are exceptions.
void add_bound(CLI::App& app);
void add_pebble(CLI::App& app);
void add_layout(CLI::App& app);
void add_plan(CLI::App& app);
void add_redistribute(CLI::App& app, Invocation& invocation);
void add_multiply(CLI::App& app, Invocation& invocation);

extern const char* layout_help;  // the text forms of layouts

}  // namespace cairn::cli
