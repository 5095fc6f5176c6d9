// The machine as planning sees it: what a message, a word and an operation cost.
#pragma once

#include <string>

namespace cairn::bounds {

struct Machine {
  double alpha = 2e-6;        // seconds per message
  double beta = 8e-10;        // seconds per word of 8 bytes
  double gamma = 1e-10;       // seconds a floating-point operation, on one rank
  double memory_words = 1e9;  // 8-byte words of memory a rank
  double copy = 4e-10;        // seconds per word that is copied: packed, or brought in order
};

// The file that keeps what was measured on this node with so many ranks on so many cores, in the user's cache directory.
std::string kept_machine_name(int ranks, int ranks_on_node);

// Kept as JSON. Throws IoError that names the file and what is wrong with it.
void save_machine(const Machine& machine, const std::string& path);
Machine load_machine(const std::string& path);

}  // namespace cairn::bounds
