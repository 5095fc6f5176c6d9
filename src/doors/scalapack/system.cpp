#include "doors/scalapack/system.hpp"

#include <numeric>

namespace cairn::scalapack {
namespace {

int owner_of(const SubMatrix& a, Index row, int process_rows) {
  return SubMatrix{a.whole, a.i + row, 0, 0, 0}.first_process_row(process_rows);
}

// Where row i of the sub-matrix lies on the process row that has it.
Index local_row(const SubMatrix& a, Index row, int process_row, int process_rows) {
  const Descriptor& d = a.whole;
  return local_count(a.i + row, d.first_rows, d.mb, process_row, d.row_source, process_rows);
}

template <class Visit>
void for_each_mine(const SubMatrix& a, const ProcessGrid& p, Index count, Visit&& visit) {
  for (Index i = 0; i < count; ++i)
    if (owner_of(a, i, p.rows) == p.row) visit(i, static_cast<std::size_t>(local_row(a, i, p.row, p.rows)));
}

}  // namespace

System system_of(const ProcessGrid& processes, const Argument& a, Index m, Index n) {
  System s{.processes = processes};
  s.a = sound(a.descriptor, a.i, a.j, m, n, s.processes);
  s.is_sound = s.a && s.a->whole.type == 1 && s.a->square_blocks() && s.a->starts_blocks();
  return s;
}

System system_of(const ProcessGrid& processes, const Argument& a, Index n, const Argument& b, Index columns) {
  System s = system_of(processes, a, n, n);
  if (!s.is_sound) return s;
  s.b = sound(b.descriptor, b.i, b.j, n, columns, s.processes);
  s.is_sound = s.b && s.b->whole.type == 1 && b.descriptor[1] == a.descriptor[1] &&
               s.b->whole.mb == s.a->whole.mb && s.b->i % s.b->whole.mb == 0 &&
               s.b->first_process_row(s.processes.rows) == s.a->first_process_row(s.processes.rows);
  return s;
}

FactorOptions factor_options(Grid& grid) {
  return {.check_finite = false, .norms = false, .back = true, .machine = grid.machine()};
}

void write_swaps(const SubMatrix& a, const ProcessGrid& processes, const std::vector<Index>& swaps,
                 int* ipiv) {
  for_each_mine(a, processes, std::ssize(swaps), [&](Index i, std::size_t local) {
    ipiv[local] = static_cast<int>(a.i + swaps[static_cast<std::size_t>(i)] + 1);
  });
}

std::vector<Index> read_permutation(const SubMatrix& a, const ProcessGrid& processes, Index n,
                                    const int* ipiv) {
  std::vector<int> swaps(static_cast<std::size_t>(n), std::numeric_limits<int>::max());
  for_each_mine(a, processes, n,
                [&](Index i, std::size_t local) { swaps[static_cast<std::size_t>(i)] = ipiv[local]; });
  least_of_all(a.whole.context, swaps);
  std::vector<Index> permutation(swaps.size());
  std::iota(permutation.begin(), permutation.end(), Index{0});
  for (std::size_t i = 0; i < swaps.size(); ++i) {
    const Index other = swaps[i] - 1 - a.i;
    if (other < 0 || other >= n) throw ArgumentError("a pivot that is not a row of the matrix");
    std::swap(permutation[i], permutation[static_cast<std::size_t>(other)]);
  }
  return permutation;
}

}  // namespace cairn::scalapack
