// cairn multiply on matrices in layouts of their own (--layout-a, -b, -c): the adapter between
// plan::PlacedPlan and the harness.
#pragma once

#include "cli/multiply_options.hpp"

namespace cairn::cli {

// Pure. Planned::own is a plan::PlacedPlan. A matrix without a layout is blocked on the squarest mesh.
Planned plan_placed(const MultiplyOptions& o, const SharedOptions& shared, int ranks);
// Collective. Random matrices.
std::unique_ptr<Work> start_placed(const MultiplyOptions& o, const SharedOptions& shared,
                                   const Planned& planned, comm::CommView comm);

}  // namespace cairn::cli
