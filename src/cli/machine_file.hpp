// The machine that plans are made for: that of a file, the one that `cairn info --save` kept, or one that was
// measured here; else a typical one.
#pragma once

#include <optional>

#include "bounds/machine.hpp"

namespace cairn::cli {

// $XDG_CONFIG_HOME/cairn/machine.json or ~/.config/cairn/machine.json. Throws if neither variable is set.
std::string default_machine_file();

struct KnownMachine {
  Machine machine;
  std::string source = "built in";  // or the file, or what it was measured with
  int ranks = 0, cores = 0;         // that it was measured with; 0: not known
  bool given = false;               // by the user: nothing is measured
};

// From `file`, or where that is empty from the user's configuration. "built-in": the typical one.
KnownMachine known_machine(const std::string& file);

// What was measured on this node with this many ranks: a file in $XDG_CACHE_HOME/cairn or ~/.cache/cairn, whose name has
// the node, the ranks and the cores.
class KeptMachine {
 public:
  KeptMachine(int ranks, int ranks_on_node);

  bool can_be_kept() const;                  // makes the folder
  std::optional<KnownMachine> load() const;  // none: there is no such file, or it cannot be read
  void save(const Machine& machine) const;   // where that cannot be it is measured again next time
  KnownMachine describe(const Machine& machine) const;

 private:
  std::string path_;  // empty: nowhere
  int ranks_, on_node_, cores_;
};

}  // namespace cairn::cli
