// Counts the triangles of a graph: L is the lower triangle of its adjacency matrix, and the triangles are the
// entries of L L, counted by plus-pair, where L itself has entries.
//   mpirun -n 4 ./triangles [VERTICES]
#include <mpi.h>

#include <cairn/cairn.hpp>
#include <cstdio>
#include <cstdlib>

using cairn::Index;

namespace {

// A small world: every vertex knows its next three and one far away.
bool knows(Index u, Index v, Index n) {
  const Index low = u < v ? u : v, high = u < v ? v : u;
  return low != high && (high - low <= 3 || high == (low * 7 + 13) % n);
}

long long triangles_by_hand(Index n) {
  long long count = 0;
  for (Index u = 0; u < n; ++u)
    for (Index v = 0; v < u; ++v)
      for (Index w = 0; knows(u, v, n) && w < v; ++w) count += knows(u, w, n) && knows(v, w, n) ? 1 : 0;
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0;
  try {
    const Index n = argc > 1 ? std::atoll(argv[1]) : 200;
    // [triangles]
    const cairn::Context context(MPI_COMM_WORLD);
    std::vector<cairn::SparseEntry<double>> mine;
    for (Index u = context.rank(); u < n; u += context.size())
      for (Index v = 0; v < u; ++v)
        if (knows(u, v, n)) mine.push_back({u, v, 1.0});
    const cairn::SparseMatrix<double> l(context, n, n, mine);
    const auto [c, report] =
        cairn::spgemm_masked(l, l, l, false, {.semiring = cairn::SparseSemiring::plus_pair});
    double here = 0, triangles = 0;
    c.for_each([&](Index, Index, double count) { here += count; });
    // [end]
    MPI_Allreduce(&here, &triangles, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    failed = static_cast<long long>(triangles) != triangles_by_hand(n) ? 1 : 0;
    if (context.rank() == 0) std::printf("%.0f triangles\n%s", triangles, report.explain.c_str());
  } catch (const cairn::Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    failed = 1;
  }
  MPI_Finalize();
  return failed;
}
