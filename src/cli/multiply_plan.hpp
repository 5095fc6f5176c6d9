// cairn multiply: its plan and its run as the harness sees them, whatever the layouts.
#pragma once

#include "cli/multiply_options.hpp"

namespace cairn::cli {

// Pure. Planned::own is a plan::Plan: on native layouts, or for matrices where --layout-a, -b, -c put them. One
// without a layout beside others that have one is blocked on the squarest mesh.
Planned plan_product(const MultiplyOptions& o, const SharedOptions& shared, int ranks);

// Collective. With the matrices of the files, else random ones.
std::unique_ptr<Work> start_product(const MultiplyOptions& o, const SharedOptions& shared,
                                    const Planned& planned, comm::CommView comm);

// What all ways to multiply have in common: the title, m, n, k, ops, type, objective; the flops.
Planned planned_product(const MultiplyRequest& request, int ranks);

}  // namespace cairn::cli
