// cairn multiply --fast: products by Strassen-like steps, in the layouts that these want. The adapter between
// gemm/fast and the harness.
#pragma once

#include <memory>
#include <vector>

#include "cli/operation.hpp"
#include "gemm/fast/choose.hpp"

namespace cairn::cli {

struct MultiplyOptions;

// As given on the command line.
struct FastChoice {
  std::string order = "off";  // off | auto | BBD
  std::string entry = "winograd";
  std::optional<double> max_error_growth;
};
void add_fast_choice(Command app, FastChoice& o);

// Whether the options ask for a fast schedule: an order, or the name of a family.
bool wants_fast(const MultiplyOptions& o);
// caps, strassen-2d, ...
const std::vector<std::string>& fast_family_names();

// Pure. Planned::own is a gemm::fast::FastSchedule.
Planned plan_fast(const MultiplyOptions& o, const SharedOptions& shared, int ranks);
// What fast steps would bring to a product they were not allowed for, in one line. Pure.
std::string fast_hint(const MultiplyOptions& o, int ranks);
// Collective. Random matrices.
std::unique_ptr<Work> start_fast(const MultiplyOptions& o, const SharedOptions& shared,
                                 const Planned& planned, comm::CommView comm);

}  // namespace cairn::cli
