// The sub-commands of `cairn bound`, each in its own file, and how they print.
#pragma once

#include <string>

#include "bounds/bounds.hpp"
#include "cli/command.hpp"

namespace cairn::cli {

void add_bound_program(Command bound);
void add_bound_table(Command bound);

void print_bound(const bounds::BoundReport& report, bool json);

// "N = 4096, P = 64"
std::string symbols_text(const bounds::Symbols& symbols);

}  // namespace cairn::cli
