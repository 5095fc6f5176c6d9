// The sub-commands. Each adds itself to the application; its callback sets `exit_code`.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace cairn::cli {

struct Invocation {
  std::vector<std::string> arguments;  // of this process, without its name
  double watchdog_seconds = 0;
  int exit_code = 0;
};

void add_info(Command app, Invocation& invocation);
void add_demo(Command app, Invocation& invocation);
void add_bench(Command app, Invocation& invocation);
void add_fast(Command app, Invocation& invocation);
void add_convert(Command app, Invocation& invocation);
// On this process alone, errors are exceptions.
void add_bound(Command app);
void add_pebble(Command app);
void add_layout(Command app);
void add_tune(Command app);
void add_plan(Command app);

extern const char* layout_help;  // the text forms of layouts

}  // namespace cairn::cli
