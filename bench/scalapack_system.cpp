#include "bench/scalapack_system.hpp"

namespace cairn::bench {
namespace {

double random_element(Index i, Index j) {
  auto x = static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15ULL ^
           static_cast<std::uint64_t>(j) * 0xC2B2AE3D27D4EB4FULL;
  for (int round = 0; round < 2; ++round) {
    x ^= x >> 33;
    x *= 0xFF51AFD7ED558CCDULL;
  }
  x ^= x >> 33;
  return static_cast<double>(x >> 11) * 0x1p-52 - 1;
}

}  // namespace

layout::BlockCyclic near_square(int ranks, Index block) {
  int rows = 1;
  for (int r = 1; r * r <= ranks; ++r)
    if (ranks % r == 0) rows = r;
  return {.process_rows = rows, .process_columns = ranks / rows, .mb = block, .nb = block};
}

double system_element(Index i, Index j, Index n, bool definite) {
  if (!definite) return random_element(i, j);
  return i == j ? static_cast<double>(2 * n) : random_element(std::max(i, j), std::min(i, j));
}

ScaLapackSystem::ScaLapackSystem(comm::CommView c, const ScaLapack& library, Index n, Index right_sides,
                                 Index block, bool definite)
    : library_(library),
      n_(n),
      right_sides_(right_sides),
      how_(near_square(c.size(), block)),
      definite_(definite),
      rank_(c.rank()),
      context_(library.grid(how_.process_rows, how_.process_columns)),
      a_(layout::block_cyclic(n, n, how_), c.rank()),
      b_(layout::block_cyclic(n, right_sides, how_), c.rank()),
      ipiv_(static_cast<std::size_t>(n + block)) {
  restore_matrix();
  restore_right_sides();
}

void ScaLapackSystem::restore_matrix() {
  layout::fill(a_.view(), rank_, [&](Index i, Index j) { return system_element(i, j, n_, definite_); });
}
void ScaLapackSystem::restore_right_sides() {
  layout::fill(b_.view(), rank_, [](Index i, Index j) { return random_element(j, i); });
}

Operand ScaLapackSystem::described(const layout::DistMatrix<double>& m) const {
  return {.data = m.local().data(),
          .matrix = ScaLapack::descriptor(context_, m.layout().rows(), m.layout().columns(), how_,
                                          m.layout().least_leading_dimension(rank_)),
          .i = 0,
          .j = 0};
}

void ScaLapackSystem::factor() {
  if (definite_)
    library_.pdpotrf(n_, described(a_));
  else
    library_.pdgetrf(n_, n_, described(a_), ipiv_);
}

void ScaLapackSystem::solve() {
  if (definite_)
    library_.pdpotrs(n_, right_sides_, described(a_), described(b_));
  else
    library_.pdgetrs(n_, right_sides_, described(a_), ipiv_, described(b_));
}

void ScaLapackSystem::factor_and_solve() {
  if (definite_)
    library_.pdposv(n_, right_sides_, described(a_), described(b_));
  else
    library_.pdgesv(n_, right_sides_, described(a_), ipiv_, described(b_));
}

}  // namespace cairn::bench
