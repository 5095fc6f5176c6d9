#include "gemm/cost.hpp"

#include <algorithm>

#include "gemm/count.hpp"
#include "gemm/positions.hpp"
#include "gemm/simulate.hpp"

namespace cairn::gemm {
namespace {

double busiest(const Schedule& s, Matrix x, const bounds::Machine& machine) {
  const Dim along = missing(x);
  if (s.grid.extent(along) == 1) return 0;
  double most = 0;
  for (const int position : extreme_positions(s, x, {}, 0))
    most = std::max(most, seconds(moved(s, x, Coordinates{}.with(along, position)), machine));
  return most;
}

}  // namespace

PhaseSeconds phase_seconds(const Schedule& s, const bounds::Machine& machine) {
  return {busiest(s, Matrix::a, machine), busiest(s, Matrix::b, machine), machine.gamma * brick_flops(s),
          busiest(s, Matrix::c, machine)};
}

}  // namespace cairn::gemm
