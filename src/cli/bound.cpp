// cairn bound: the fewest words, for what is known in closed form. No MPI.
#include "cli/bound_parts.hpp"
#include "cli/operation_commands.hpp"

namespace cairn::cli {

void add_bound(Command app) {
  const Command bound =
      app.add_subcommand("bound", "The fewest words that an operation or a loop program can move");
  bound.require_subcommand();
  add_bound_operations(bound);
  add_bound_program(bound);
  add_bound_table(bound);
}

}  // namespace cairn::cli
