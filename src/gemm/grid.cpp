#include "gemm/grid.hpp"

namespace cairn::gemm {

Coordinates Coordinates::with(Dim d, int position) const {
  Coordinates moved = *this;
  moved.at[index(d)] = position;
  return moved;
}

Coordinates coordinates(const Grid& grid, int rank) {
  return {{rank % grid.pm, rank / grid.pm % grid.pn, rank / grid.pm / grid.pn}};
}

int rank_at(const Grid& grid, const Coordinates& at) {
  return at[Dim::m] + grid.pm * (at[Dim::n] + grid.pn * at[Dim::k]);
}

std::string describe(const Grid& grid) { return fmt::format("[{}, {}, {}]", grid.pm, grid.pn, grid.pk); }

}  // namespace cairn::gemm
