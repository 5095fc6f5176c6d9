// The machine that plans are made for: the one that `cairn info --save` measured, or a typical one.
#pragma once

#include "bounds/machine.hpp"

namespace cairn::cli {

// $XDG_CONFIG_HOME/cairn/machine.json or ~/.config/cairn/machine.json. Throws if neither variable is set.
std::string default_machine_file();

struct KnownMachine {
  bounds::Machine machine;
  std::string source = "built in";  // or the file, or where and when it was measured
  int ranks = 0, cores = 0;         // that it was measured with; 0: not known
};

// From `file`, or where that is empty from the default file if there is one.
KnownMachine known_machine(const std::string& file);

}  // namespace cairn::cli
