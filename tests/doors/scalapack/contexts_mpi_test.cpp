// Contexts that come and go: what is kept for them goes with them.
#include <unistd.h>

#include <fstream>

#include "doors/scalapack/program.hpp"

namespace cairn::test {
namespace {

long resident_pages() {
  long size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident;
}

// A grid 1 x 2 on a communicator of two ranks, one product by Cairn, and the end of the grid.
void one_cycle(MPI_Comm pair) {
  ProcessGrid g{.columns = 2};
  g.context = MPI_Comm_c2f(pair);  // what BLACS makes a context of, in Fortran
  int r = 1, c = 2;
  call_theirs("blacs_gridinit_", &g.context, "R", &r, &c);
  call_theirs("blacs_gridinfo_", &g.context, &r, &c, &g.row, &g.column);
  Random random(1);
  auto a = some_matrix<double>(random, g, 8, 8, 1), b = some_matrix<double>(random, g, 8, 8, 2),
       to = some_matrix<double>(random, g, 8, 8, 3);
  const int n = 8;
  const double one = 1, zero = 0;
  call_ours("pdgemm_", "N", "N", &n, &n, &n, &one, a.data(), &a.ia, &a.ja, a.d(), b.data(), &b.ia, &b.ja,
            b.d(), &zero, to.data(), &to.ia, &to.ja, to.d());
  end_grid(g);
}

class ScalapackContexts : public MpiTest {};

TEST_F(ScalapackContexts, ComeAndGoWithoutALeak) {
  if (scalapack_library() == nullptr) GTEST_SKIP() << CAIRN_TEST_SCALAPACK << " is not installed";
  on_ranks(2, [](comm::CommView pair) {
    const int cycles = trials(10000);
    for (int i = 0; i < 200; ++i) one_cycle(pair.handle());
    const long before = resident_pages();
    long long ours = 0, after = 0;
    cairn_scalapack_counts(&ours, nullptr);
    for (int i = 0; i < cycles; ++i) one_cycle(pair.handle());
    cairn_scalapack_counts(&after, nullptr);
    EXPECT_EQ(after - ours, cycles);
    // A plan and a communicator are some 10 kB: 40 bytes a cycle are none of them.
    const double grown = static_cast<double>((resident_pages() - before) * sysconf(_SC_PAGESIZE));
    EXPECT_LT(grown, 2e6 + 40.0 * cycles);
  });
}

}  // namespace
}  // namespace cairn::test
