// Products of which only a triangle is stored: mpirun -n 4 example_symmetric
#include <mpi.h>

#include <cmath>
#include <cstdio>

#include "cairn/cairn.hpp"

using cairn::Diagonal;
using cairn::Index;
using cairn::Op;
using cairn::Side;
using cairn::Triangle;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0;
  {
    const cairn::Context context(MPI_COMM_WORLD);
    const Index n = 300, k = 120;
    cairn::Matrix<double> a(context, cairn::Layout::row_blocks(n, k, context.size()));
    cairn::Matrix<double> c(context, cairn::Layout::blocked(n, n, 1, context.size()));
    cairn::Matrix<double> b(context, cairn::Layout::row_blocks(n, 2, context.size()));
    cairn::Matrix<double> d(context, cairn::Layout::row_blocks(n, 2, context.size()));
    a.fill([](Index i, Index j) { return i == j ? 2.0 : i < k ? 0.0 : 1.0; });
    b.fill([](Index, Index) { return 1.0; });
    // [calls]
    const auto report = cairn::rank_k_update(Triangle::lower, Op::none, 1.0, a, 0.0, c);  // C := A A^T
    cairn::multiply_symmetric(Side::left, Triangle::lower, 1.0, c, b, 0.0, d);            // D := C B
    cairn::multiply_triangular(Side::left, Triangle::lower, Op::transpose, Diagonal::stored, 1.0, c, b);
    // [end]
    // A A^T is 4 on the first k of the diagonal, 2 beside them, and k elsewhere.
    const double below = 4 + 2 * double(n - k), above = double(k) * (2 + double(n - k));
    double worst = 0;
    d.for_each(
        [&](Index i, Index, double x) { worst = std::max(worst, std::abs(x - (i < k ? below : above))); });
    b.for_each([&](Index i, Index, double x) {
      worst = std::max(worst, std::abs(x - (i < k ? below : double(k) * double(n - i))));
    });
    double largest = 0;
    MPI_Allreduce(&worst, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (largest > 1e-9) failed = 1;
    if (context.rank() == 0) std::printf("%s\nlargest error %.1e\n", report.describe().c_str(), largest);
  }
  MPI_Finalize();
  return failed;
}
