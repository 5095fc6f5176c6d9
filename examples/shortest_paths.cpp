// Shortest paths between all towns of a road map: the matrix of distances is squared over (min, +) until
// paths of any length are in it.
//   mpirun -n 4 ./shortest_paths [TOWNS]
#include <mpi.h>

#include <cairn/cairn.hpp>
#include <cstdio>
#include <cstdlib>
#include <limits>

using cairn::Index;

namespace {

// A ring road and a few short cuts; how long a road is.
std::vector<cairn::SparseEntry<double>> roads(Index n) {
  std::vector<cairn::SparseEntry<double>> all;
  const auto add = [&](Index u, Index v, double length) {
    if (u == v) return;
    all.push_back({u, v, length});
    all.push_back({v, u, length});
  };
  for (Index u = 0; u + 1 < n; ++u) add(u, u + 1, 2 + static_cast<double>(u % 5));
  for (Index u = 0; u + 17 < n; u += 7) add(u, u + 17, 9);
  return all;
}

// Floyd and Warshall, on one rank.
std::vector<double> by_hand(Index n) {
  const auto size = static_cast<std::size_t>(n);
  std::vector<double> d(size * size, std::numeric_limits<double>::infinity());
  for (std::size_t u = 0; u < size; ++u) d[u * size + u] = 0;
  for (const auto& r : roads(n))
    d[static_cast<std::size_t>(r.row) * size + static_cast<std::size_t>(r.column)] = r.value;
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t u = 0; u < size; ++u)
      for (std::size_t v = 0; v < size; ++v)
        if (d[u * size + k] + d[k * size + v] < d[u * size + v])
          d[u * size + v] = d[u * size + k] + d[k * size + v];
  return d;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0;
  try {
    const Index n = argc > 1 ? std::atoll(argv[1]) : 60;
    const cairn::Context context(MPI_COMM_WORLD);
    // [paths]
    std::vector<cairn::SparseEntry<double>> mine;
    if (context.rank() == 0) mine = roads(n);
    for (Index u = context.rank(); u < n; u += context.size()) mine.push_back({u, u, 0.0});
    cairn::SparseMatrix<double> d(context, n, n, mine);
    for (Index steps = 1; steps < n; steps *= 2)
      d = cairn::spgemm(d, d, {.semiring = cairn::SparseSemiring::min_plus}).c;
    // [end]
    const std::vector<double> expected = by_hand(n);
    d.for_each([&](Index u, Index v, double length) {
      if (length != expected[static_cast<std::size_t>(u * n + v)]) failed = 1;
    });
    if (d.entries() != n * n) failed = 1;
    if (context.rank() == 0)
      std::printf("%lld towns, %s\n", static_cast<long long>(n), failed ? "WRONG" : "right");
  } catch (const cairn::Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    failed = 1;
  }
  MPI_Finalize();
  return failed;
}
