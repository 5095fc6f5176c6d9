// cairn plan: what would be done, for any number of ranks, without doing it. No MPI.
#include "cli/operation_commands.hpp"

namespace cairn::cli {

void add_plan(Command app) {
  const Command plan =
      app.add_subcommand("plan", "What would be done, for any number of ranks, without doing it");
  plan.require_subcommand();
  add_plan_operations(plan);
}

}  // namespace cairn::cli
