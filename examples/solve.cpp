// Solves A X = B: mpirun -n 4 example_solve
#include <mpi.h>

#include <cmath>
#include <cstdio>

#include "cairn/cairn.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const cairn::Index n = 500;
    const cairn::Context context(MPI_COMM_WORLD);
    cairn::Matrix<double> a(context, cairn::Layout::row_blocks(n, n, context.size()));
    cairn::Matrix<double> b(context, cairn::Layout::row_blocks(n, 1, context.size()));
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
    const auto factors = cairn::lu(a);
    factors.solve(b);
    double worst = 0;
    b.for_each([&](cairn::Index, cairn::Index, double x) { worst = std::max(worst, std::abs(x - 1)); });
    double largest = 0;
    MPI_Reduce(&worst, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    const double condition = factors.reciprocal_condition();
    if (context.rank() == 0)
      std::printf("%s\nlargest error %.1e, reciprocal condition %.1e\n", factors.report().describe().c_str(),
                  largest, condition);
  }
  MPI_Finalize();
}
