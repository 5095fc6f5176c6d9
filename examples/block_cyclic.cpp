// Multiplies block-cyclic matrices where they are: ScaLAPACK's layout, memory of the program's own, one plan
// for many products.
//   mpirun -n 4 ./block_cyclic
#include <mpi.h>

#include <cairn/cairn.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

using cairn::Index;
using cairn::Layout;

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0;
  try {
    cairn::Context context(MPI_COMM_WORLD);
    const int p = context.size(), rows = p % 2 == 0 ? 2 : 1;
    const Index n = 256, k = 32, steps = 3;
    // [block-cyclic]
    const cairn::BlockCyclic how{.process_rows = rows, .process_columns = p / rows, .mb = 16, .nb = 16};
    const Layout tall = Layout::block_cyclic(n, k, how), flat = Layout::block_cyclic(k, n, how),
                 square = Layout::block_cyclic(n, n, how);
    // Pure: the same on every rank, and on a machine without MPI.
    const cairn::Plan plan =
        cairn::plan_multiply({.m = n, .n = n, .k = k}, tall, flat, square, p, {.memory_bytes = 2 << 20});

    std::vector<double> memory(static_cast<std::size_t>(square.local_elements(context.rank())));
    cairn::Matrix<double> a(context, tall), b(context, flat), c(context, square, memory);
    a.fill([](Index i, Index l) { return static_cast<double>(i % 5 + l); });
    b.fill([](Index l, Index j) { return l == j % 32 ? 1.0 : 0.0; });

    cairn::MultiplyReport report{.plan = plan};
    for (int step = 0; step < steps; ++step)  // C := C + A B
      report = cairn::multiply(1.0, cairn::Op::none, a, cairn::Op::none, b, 1.0, c, {.plan = plan});
    // [end]

    c.for_each([&](Index i, Index j, double x) {
      if (std::abs(x - 3.0 * static_cast<double>(i % 5 + j % 32)) > 1e-9) failed = 1;
    });
    if (report.gathers_and_combines.words_received > plan.words().busiest) failed = 1;
    if (context.rank() == 0) std::printf("%s", plan.explain().c_str());
  } catch (const cairn::Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    failed = 1;
  }
  MPI_Finalize();
  return failed;
}
