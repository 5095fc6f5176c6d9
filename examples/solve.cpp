// Solves A X = B: mpirun -n 4 example_solve
#include <mpi.h>

#include <cmath>
#include <cstdio>

#include "cairn/cairn.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0;
  {
    const cairn::Index n = 500;
    // [system]
    const cairn::Context context(MPI_COMM_WORLD);
    cairn::Matrix<double> a(context, cairn::Layout::row_blocks(n, n, context.size()));
    cairn::Matrix<double> b(context, cairn::Layout::row_blocks(n, 1, context.size()));
    // [end]
    // The solution is all ones.
    const auto element = [](cairn::Index i, cairn::Index j) {
      return std::cos(double(i * 7 + j * 3)) + (i == j ? 9 : 0);
    };
    a.fill(element);
    b.fill([&](cairn::Index i, cairn::Index) {
      double sum = 0;
      for (cairn::Index j = 0; j < n; ++j) sum += element(i, j);
      return sum;
    });
    // [factors]
    const auto factors = cairn::lu(a);  // any m x n; info() as LAPACK's, permutation(), growth()
    factors.solve(b);                   // b becomes x; Op::transpose and Op::adjoint as well
    const double condition = factors.reciprocal_condition();  // about 1e-16: do not believe x
    // [end]
    double worst = 0;
    b.for_each([&](cairn::Index, cairn::Index, double x) { worst = std::max(worst, std::abs(x - 1)); });
    double largest = 0;
    MPI_Allreduce(&worst, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (largest > 1e-10) failed = 1;
    if (context.rank() == 0)
      std::printf("%s\nlargest error %.1e, reciprocal condition %.1e\n", factors.report().describe().c_str(),
                  largest, condition);
  }
  MPI_Finalize();
  return failed;
}
