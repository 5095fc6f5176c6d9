#include "gemm/cost.hpp"

#include <algorithm>

#include "gemm/count.hpp"
#include "gemm/tree_count.hpp"
#include "program/simulate.hpp"

namespace cairn::gemm {
namespace {

double busiest(const Schedule& s, Matrix x, const Machine& machine) {
  const Dim along = missing(x);
  if (s.grid.extent(along) == 1) return 0;
  double most = 0;
  for (const int position : extreme_positions(s, x, {}, 0))
    most = std::max(most, program::seconds(moved(s, x, Coordinates{}.with(along, position)), machine));
  return most;
}

}  // namespace

PhaseSeconds phase_seconds(const Schedule& s, const Machine& machine) {
  if (s.tree) return tree_seconds(s, machine);
  return {.gather_a = busiest(s, Matrix::a, machine),
          .gather_b = busiest(s, Matrix::b, machine),
          .multiply = machine.gamma * brick_flops(s),
          .combine_c = busiest(s, Matrix::c, machine)};
}

}  // namespace cairn::gemm
