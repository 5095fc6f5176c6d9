// Strassen-like steps and levels among the candidates of a plan, where the settings allow them.
#pragma once

#include "plan/plan.hpp"

namespace cairn::plan {

// caps, strassen-2d, strassen-2.5d, 2d-strassen, 2.5d-strassen.
const std::vector<std::string_view>& fast_names();
bool names_fast(std::string_view algorithm);
Settings with_family(Settings settings, std::string_view name);

// To classical candidates, best first: those of them with fast levels inside a brick, and schedules with steps.
// Sorted again; a fast one comes first only if it is sooner by more than the model errs. A forced order or family
// leaves no others. Throws ArgumentError where nothing fits that.
void add_fast(std::vector<Candidate>& candidates, const gemm::Problem& problem, int ranks,
              const Settings& settings);
// The same for matrices that are placed: steps take one exchange there and one back.
void add_fast_placed(std::vector<Candidate>& candidates, const gemm::Problem& problem,
                     const std::array<layout::Layout, 3>& matrices, int ranks, const Settings& settings);

}  // namespace cairn::plan
