// The machine as it is kept in a file.
#pragma once

#include <string>

#include "cairn/choices.hpp"

namespace cairn::bounds {

// The file that keeps what was measured on this node with this many ranks on this many cores, in the user's cache directory.
std::string kept_machine_name(int ranks, int ranks_on_node);

// Kept as JSON. Throws IoError that names the file and what is wrong with it.
void save_machine(const Machine& machine, const std::string& path);
Machine load_machine(const std::string& path);

}  // namespace cairn::bounds
