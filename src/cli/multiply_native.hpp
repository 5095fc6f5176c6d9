// cairn multiply in the native layouts of a schedule: the adapter between plan::Plan and the harness.
#pragma once

#include "cli/multiply_options.hpp"
#include "gemm/verify.hpp"

namespace cairn::cli {

// Pure. Planned::own is a plan::Plan.
Planned plan_native(const MultiplyOptions& o, const SharedOptions& shared, int ranks);
// Collective. With the matrices of the files, else random ones.
std::unique_ptr<Work> start_native(const MultiplyOptions& o, const SharedOptions& shared,
                                   const Planned& planned, comm::CommView comm);

// What native and users' layouts have in common: m, n, k, ops, type, objective; the title; the flops.
Planned planned_product(const MultiplyRequest& request, int ranks);
WorkVerdict verdict_of_product(const gemm::Verdict& verdict, int rounds);

}  // namespace cairn::cli
