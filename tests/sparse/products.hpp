// Products by every algorithm against the product by its definition, on any ranks.
#pragma once

#include <iostream>
#include <optional>

#include "comm/collectives.hpp"
#include "sparse/cases.hpp"
#include "sparse/multiply_bricks.hpp"
#include "support/mpi_test.hpp"

namespace cairn::test {

template <class T>
void expect_same(comm::CommView comm, const sparse::DistSparse<T>& c, const WholeMatrix<T>& expected,
                 const std::string& what) {
  const sparse::DistSparse<T> wanted = spread(expected, c.layout, comm.rank());
  EXPECT_EQ(c.local.starts, wanted.local.starts) << what;
  EXPECT_EQ(c.local.columns_of, wanted.local.columns_of) << what;
  EXPECT_TRUE(c.local.values == wanted.local.values) << what;
}

struct ProductCase {
  Index m, n, k;
  Kind a, b;
  sparse::Semiring semiring = sparse::Semiring::plus_times;
  int mask = 0;  // 1: where it has entries, 2: where it has none
};

template <class T>
void check_case(comm::CommView comm, const sparse::SpgemmMethod& method, const ProductCase& x,
                unsigned seed) {
  const std::string what = method.describe() + " m=" + std::to_string(x.m) + " n=" + std::to_string(x.n) +
                           " k=" + std::to_string(x.k) + " kinds " + std::to_string(static_cast<int>(x.a)) +
                           " " + std::to_string(static_cast<int>(x.b)) + " " +
                           std::string(sparse::name(x.semiring)) + " mask " + std::to_string(x.mask);
  const auto a = make_whole<T>(x.a, x.m, x.k, seed), b = make_whole<T>(x.b, x.k, x.n, seed + 1);
  const auto mask = make_whole<T>(Kind::dense_row, x.m, x.n, seed + 2);
  const auto layouts = sparse::layouts_of(method, {x.m, x.n, x.k});
  const sparse::DistSparse<T> da = spread(a, layouts.a, comm.rank());
  const sparse::DistSparse<T> db = spread(b, layouts.b, comm.rank());
  const sparse::DistSparse<T> dm = spread(mask, layouts.c, comm.rank());
  sparse::BrickOptions<T> options;
  if (x.mask > 0) options.mask = &dm;
  options.mask_complement = x.mask == 2;
  const auto result =
      sparse::multiply_bricks<T>(comm, method, da, db, sparse::make_kernel<T>(x.semiring), options);
  const auto expected = sparse::dispatch<T>(x.semiring, [&]<class S>() {
    return reference_product<S>(a, b, x.mask > 0 ? &mask : nullptr, x.mask == 2);
  });
  expect_same(comm, result.c, expected, what);
}

// Every algorithm on this many ranks, those with layers with every number of them.
inline std::vector<sparse::SpgemmMethod> every_method(int ranks) {
  std::vector<sparse::SpgemmMethod> all;
  for (const sparse::SpgemmAlgorithm algorithm : sparse::all_spgemm_algorithms()) {
    const bool layered =
        algorithm == sparse::SpgemmAlgorithm::iterative || algorithm == sparse::SpgemmAlgorithm::aware_3d;
    for (int layers = 1; layers <= (layered ? ranks : 1); ++layers)
      if (ranks % layers == 0) all.push_back(sparse::named_method(algorithm, ranks, layers, {1, 1, 1}));
  }
  return all;
}

struct NamedPair {
  std::string name;
  WholeMatrix<double> a, b;
};

inline constexpr int number_of_pairs = 16;
// All generators, and what they do not make: rectangles, empty rows, a dense row and column, nothing, everything.
inline std::vector<NamedPair> make_every_pair() {
  std::vector<NamedPair> all;
  for (const char* text : {"er n=37 d=4", "rmat scale=5 d=4", "stencil5 nx=6 ny=7", "stencil9 nx=6",
                           "stencil7 nx=3 ny=4 nz=3", "stencil27 nx=3", "banded n=40 width=3"})
    all.push_back({text, made_by<double>(text, 1), made_by<double>(text, 2)});
  all.push_back({"rectangles", made_by<double>("er rows=13 columns=47 d=5", 3),
                 made_by<double>("er rows=47 columns=29 d=3", 4)});
  for (const Kind kind : all_kinds)
    all.push_back({"kind " + std::to_string(static_cast<int>(kind)), make_whole<double>(kind, 19, 23, 5),
                   make_whole<double>(kind, 23, 17, 6)});
  return all;
}

inline const std::vector<NamedPair>& every_pair() {
  static const std::vector<NamedPair> all = make_every_pair();
  return all;
}

// A pair over a semiring by every method, or by one in `stride` of them: each number of ranks, pair and semiring begins
// elsewhere. Returns how many products were compared.
inline int check_methods(comm::CommView comm, int number_of_pair, sparse::Semiring semiring, int stride) {
  const NamedPair& pair = every_pair().at(static_cast<std::size_t>(number_of_pair));
  std::optional<WholeMatrix<double>> expected;
  int number = comm.size() + 7 * (5 * number_of_pair + static_cast<int>(semiring)), compared = 0;
  for (const sparse::SpgemmMethod& method : every_method(comm.size())) {
    if (number++ % stride != 0) continue;
    if (!expected)
      expected =
          sparse::dispatch<double>(semiring, [&]<class S>() { return reference_product<S>(pair.a, pair.b); });
    const auto layouts = sparse::layouts_of(method, {pair.a.rows, pair.b.columns, pair.a.columns});
    const auto result = sparse::multiply_bricks<double>(comm, method, spread(pair.a, layouts.a, comm.rank()),
                                                        spread(pair.b, layouts.b, comm.rank()),
                                                        sparse::make_kernel<double>(semiring));
    expect_same(comm, result.c, *expected,
                method.describe() + " " + pair.name + " " + std::string(sparse::name(semiring)));
    ++compared;
  }
  return compared;
}

// A pair over every semiring on communicators of these sizes, side by side. Ranks that are in none of them wait for one
// semiring at a time.
inline void check_pair(int number_of_pair, const std::vector<int>& sizes) {
  int compared = 0;
  for (const sparse::Semiring semiring : sparse::all_semirings)
    on_parts(world(), sizes, [&](comm::CommView comm) {
      const int stride = all_trials_wanted() ? 1 : comm.size() > 16 ? 131 : 37;
      const int here = check_methods(comm, number_of_pair, semiring, stride);
      if (comm.rank() == 0) compared += here;
    });
  compared = comm::allreduce(world(), compared, comm::ReduceOp::sum);
  if (world().rank() == 0 && all_trials_wanted())
    std::cout << compared << " products of pair " << number_of_pair << " on " << testing::PrintToString(sizes)
              << " ranks\n";
}

inline sparse::SpgemmMethod random_method(int ranks, std::mt19937& random) {
  const auto& all = sparse::all_spgemm_algorithms();
  const sparse::SpgemmAlgorithm algorithm = all[random() % all.size()];
  int layers = 0;
  if (algorithm == sparse::SpgemmAlgorithm::iterative || algorithm == sparse::SpgemmAlgorithm::aware_3d) do
      layers = 1 + static_cast<int>(random() % static_cast<unsigned>(ranks));
    while (ranks % layers != 0);
  const double c = static_cast<double>(random() % 20);
  sparse::SpgemmMethod method = sparse::named_method(algorithm, ranks, layers, {2, 3, c});
  if (random() % 4 == 0) method.phases = 1 + static_cast<int>(random() % 4);
  return method;
}

inline ProductCase random_case(std::mt19937& random) {
  const auto size = [&] { return static_cast<Index>(random() % 4 == 0 ? random() % 4 : random() % 40); };
  const auto kind = [&] { return all_kinds[random() % std::size(all_kinds)]; };
  ProductCase x{size(), size(), size(), kind(), kind()};
  x.semiring = sparse::all_semirings[random() % std::size(sparse::all_semirings)];
  x.mask = random() % 4 == 0 ? static_cast<int>(random() % 3) : 0;
  return x;
}

inline void random_products(comm::CommView comm, int trials) {
  std::mt19937 random(static_cast<unsigned>(17 + comm.size()));
  for (int trial = 0; trial < trials; ++trial) {
    const sparse::SpgemmMethod method = random_method(comm.size(), random);
    ProductCase x = random_case(random);
    const unsigned seed = static_cast<unsigned>(random()), type = seed % 8;
    if (type >= 6) x.semiring = sparse::Semiring::plus_times;
    if (type == 7)
      check_case<std::complex<double>>(comm, method, x, seed);
    else if (type == 6)
      check_case<std::complex<float>>(comm, method, x, seed);
    else if (type == 5)
      check_case<float>(comm, method, x, seed);
    else
      check_case<double>(comm, method, x, seed);
  }
}

}  // namespace cairn::test
