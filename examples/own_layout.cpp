// Multiplies matrices that lie as the program wants them: A block-cyclic in memory of its own, B in rows like
// a C array, C in columns like a Fortran array.
//   mpirun -n 4 ./own_layout
#include <mpi.h>

#include <cairn/cairn.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

using cairn::Index;
using cairn::Layout;
using cairn::Op;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0;
  try {
    // [own layouts]
    cairn::Context context(MPI_COMM_WORLD);
    const int p = context.size();
    const Index m = 120, n = 90, k = 150;
    const Layout cyclic =
        Layout::block_cyclic(k, m, {.process_rows = 1, .process_columns = p, .mb = 32, .nb = 16});
    std::vector<double> memory(static_cast<std::size_t>(cyclic.local_elements(context.rank())));

    cairn::Matrix<double> a(context, cyclic, memory);  // k x m: it is multiplied transposed
    cairn::Matrix<double> b(context, Layout::row_blocks(k, n, p));
    cairn::Matrix<double> c(context, Layout::parse("columns " + std::to_string(p), m, n));
    a.fill([](Index l, Index i) { return 1.0 / static_cast<double>(1 + i + l); });
    b.fill([](Index l, Index j) { return static_cast<double>(l % 7 - j % 5); });
    c.fill([](Index, Index) { return 1.0; });

    // C := 2 A^T B - C
    const cairn::MultiplyReport report =
        cairn::multiply(2.0, Op::transpose, a, Op::none, b, -1.0, c, {.verify = 2});
    // [end]

    c.for_each([&](Index i, Index j, double x) {
      double expected = -1;
      for (Index l = 0; l < k; ++l)
        expected += 2.0 / static_cast<double>(1 + i + l) * static_cast<double>(l % 7 - j % 5);
      if (!(std::abs(x - expected) < 1e-10)) failed = 1;
    });

    // [vectors]
    cairn::Matrix<double> x(context, Layout::row_blocks(k, 1, p)), y(context, Layout::row_blocks(m, 1, p));
    x.fill([](Index, Index) { return 1.0; });
    cairn::matvec(1.0, Op::transpose, a, x, 0.0, y);  // y := A^T x
    cairn::rank1(-1.0, x, Op::transpose, y, a);       // A := A - x y^T
    // [end]

    const auto column_sum = [&](Index i) {
      double sum = 0;
      for (Index l = 0; l < k; ++l) sum += 1.0 / static_cast<double>(1 + i + l);
      return sum;
    };
    y.for_each([&](Index i, Index, double found) {
      if (!(std::abs(found - column_sum(i)) < 1e-12)) failed = 1;
    });
    a.for_each([&](Index l, Index i, double found) {
      if (!(std::abs(found - (1.0 / static_cast<double>(1 + i + l) - column_sum(i))) < 1e-12)) failed = 1;
    });
    if (context.rank() == 0)
      std::printf("%s: this rank received %lld words to multiply and %lld to redistribute\n",
                  report.describe().c_str(),
                  static_cast<long long>(report.gathers_and_combines.words_received),
                  static_cast<long long>(report.redistribution.words_received));
  } catch (const cairn::Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    failed = 1;
  }
  MPI_Finalize();
  return failed;
}
