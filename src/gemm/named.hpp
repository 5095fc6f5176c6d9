// The algorithms of the papers as schedules: a name is a rule for the grid and the rounds. What is equal to
// the original and what differs is in docs/internals/multiply.md.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "gemm/schedule.hpp"

namespace cairn::gemm {

struct NamedOptions {
  std::optional<int> layers = {};    // h of summa3d-*, c of 2.5d
  std::optional<Index> rounds = {};  // instead of the algorithm's own number
};

// summa2d-a, summa2d-b, summa2d-c, summa3d-a, summa3d-b, summa3d-c, cannon, 2.5d, 3d, carma. The searches
// `cosma` and `auto` are names of the planner (plan/plan.hpp).
const std::vector<std::string_view>& fixed_names();

// The schedule of a name for a problem on at most `ranks` ranks, other ranks idle. Throws ArgumentError for a
// name that is not in fixed_names(), and for layers or rounds that are not possible.
Schedule named_schedule(std::string_view name, const Problem& problem, int ranks,
                        const NamedOptions& options = {});

}  // namespace cairn::gemm
