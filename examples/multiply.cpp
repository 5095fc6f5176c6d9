// Multiplies two matrices on all ranks, in the layouts Cairn likes best.
//   mpirun -n 4 ./multiply [M N K]
#include <mpi.h>

#include <cairn/cairn.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using cairn::Index;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0;
  try {
    const Index m = argc > 3 ? std::atoll(argv[1]) : 300, n = argc > 3 ? std::atoll(argv[2]) : 200,
                k = argc > 3 ? std::atoll(argv[3]) : 100;
    // [five lines]
    cairn::Context context(MPI_COMM_WORLD);
    auto [a, b, c] = cairn::make_product<double>(context, m, n, k);
    a.fill([](Index i, Index l) { return static_cast<double>(i - l); });
    b.fill([](Index l, Index j) { return l == j ? 2.0 : 0.0; });
    const cairn::MultiplyReport report = cairn::multiply(a, b, c, {.verify = 2});
    // [end]

    // [read]
    // B is twice the identity (cut off or filled up with zeros), so C(i, j) = 2 A(i, j).
    c.for_each([&](Index i, Index j, double x) {
      const double expected = j < k ? 2.0 * static_cast<double>(i - j) : 0.0;
      if (std::abs(x - expected) > 1e-9) failed = 1;
    });
    if (m > 2 && n > 1) failed |= c.at(2, 1) != (k > 1 ? 2.0 : 0.0);  // collective: on every rank
    // [end]
    if (context.rank() == 0) std::printf("%s", report.explain().c_str());
  } catch (const cairn::Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    failed = 1;
  }
  MPI_Finalize();
  return failed;
}
