// The sub-commands of `cairn bound`, each in its own file, and how they print.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "model/bounds.hpp"

namespace cairn::cli {

void add_bound_program(CLI::App& bound);
void add_bound_table(CLI::App& bound);

void print_bound(const model::BoundReport& report, bool json);

// "N = 4096, P = 64"
std::string symbols_text(const model::Symbols& symbols);

}  // namespace cairn::cli
