// One step of algebraic multigrid: the coarse matrix P^T A P of a Laplacian, twice with the same pattern.
//   mpirun -n 4 ./galerkin [SIDE]
#include <mpi.h>

#include <cairn/cairn.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using cairn::Index;
using Entries = std::vector<cairn::SparseEntry<double>>;

namespace {

Entries laplacian(Index side, int rank, int ranks, double scale) {
  Entries mine;
  for (Index p = rank; p < side * side; p += ranks) {
    const Index x = p % side, y = p / side;
    mine.push_back({p, p, 4 * scale});
    if (x > 0) mine.push_back({p, p - 1, -scale});
    if (x + 1 < side) mine.push_back({p, p + 1, -scale});
    if (y > 0) mine.push_back({p, p - side, -scale});
    if (y + 1 < side) mine.push_back({p, p + side, -scale});
  }
  return mine;
}

// Points come together in squares of 2 x 2.
Entries aggregation(Index side, int rank, int ranks) {
  Entries mine;
  for (Index p = rank; p < side * side; p += ranks)
    mine.push_back({p, p % side / 2 + (p / side / 2) * ((side + 1) / 2), 1.0});
  return mine;
}

double sum_of(const cairn::SparseMatrix<double>& m) {
  double here = 0, all = 0;
  m.for_each([&](Index, Index, double x) { here += x; });
  MPI_Allreduce(&here, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0;
  try {
    const Index side = argc > 1 ? std::atoll(argv[1]) : 24, n = side * side;
    const Index coarse = ((side + 1) / 2) * ((side + 1) / 2);
    const cairn::Context context(MPI_COMM_WORLD);
    const int rank = context.rank(), ranks = context.size();
    const cairn::SparseMatrix<double> p(context, n, coarse, aggregation(side, rank, ranks));
    cairn::SparsePattern<double> first, second;
    for (const double scale : {1.0, 3.0}) {
      const cairn::SparseMatrix<double> a(context, n, n, laplacian(side, rank, ranks, scale));
      // [galerkin]
      const auto ap = cairn::spgemm(a, p, {}, &first);  // the second time around: values alone
      const auto pap = cairn::spgemm(p.transposed(), ap.c, {}, &second);
      // [end]
      // Sums of all entries stay what they were: P has one 1 in every row.
      failed |= std::abs(sum_of(pap.c) - sum_of(a)) > 1e-9 * static_cast<double>(n) ? 1 : 0;
      if (rank == 0)
        std::printf("scale %g: A P received %lld bytes here by %s\n", scale,
                    static_cast<long long>(ap.report.bytes_received), ap.report.method.c_str());
    }
  } catch (const cairn::Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    failed = 1;
  }
  MPI_Finalize();
  return failed;
}
