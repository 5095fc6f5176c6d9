// The fewest words the busiest rank of any grid receives, from the definition of what a rank receives.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "plan/brute_force.hpp"

namespace cairn::plan::test {

// One of each kind of position of a dimension: its first and last, where parts get shorter, and where the
// slices of either face do. Everything in between is like one of these.
inline std::vector<Index> kinds_of_positions(Index p, std::initializer_list<Index> cuts) {
  std::vector<Index> all{0, p - 1};
  for (const Index cut : cuts)
    for (Index x = cut - 1; x <= cut + 2; ++x)
      if (x >= 0 && x < p) all.push_back(x);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// Words that rank (i, j, l) receives: of A(i,l), m_i x k_l, all columns but its own; likewise B; of C all
// partial sums that reach it: in a ring everything but the slice that the rank before it keeps.
inline Index received(const Problem& p, Index pm, Index pn, Index pk, Index i, Index j, Index l) {
  const Index m = length(p.m, pm, i), n = length(p.n, pn, j), k = length(p.k, pk, l);
  // A slice is columns of the matrix as it is stored.
  const Index a = p.op_a == Op::none ? m * (k - length(k, pn, j)) : k * (m - length(m, pn, j));
  const Index b = p.op_b == Op::none ? k * (n - length(n, pm, i)) : n * (k - length(k, pm, i));
  const Index c = pk == 1 ? 0 : m * (n - length(n, pk, (l + pk - 1) % pk));
  return a + b + c;
}

inline Index busiest(const Problem& p, Index pm, Index pn, Index pk) {
  const Index m = length(p.m, pm, 0), k = length(p.k, pk, 0), n = length(p.n, pn, 0);
  const Index cols_a = p.op_a == Op::none ? k : m, cols_b = p.op_b == Op::none ? n : k;
  const auto is = kinds_of_positions(pm, {p.m % pm, cols_b % pm, (cols_b - 1) % pm}),
             js = kinds_of_positions(pn, {p.n % pn, cols_a % pn, (cols_a - 1) % pn}),
             ls = kinds_of_positions(pk, {p.k % pk, n % pk, (n - 1) % pk});
  Index most = 0;
  for (const Index i : is)
    for (const Index j : js)
      for (const Index l : ls) most = std::max(most, received(p, pm, pn, pk, i, j, l));
  return most;
}

// The same over all ranks.
inline Index busiest_of_all(const Problem& p, Index pm, Index pn, Index pk) {
  Index most = 0;
  for (Index i = 0; i < pm; ++i)
    for (Index j = 0; j < pn; ++j)
      for (Index l = 0; l < pk; ++l) most = std::max(most, received(p, pm, pn, pk, i, j, l));
  return most;
}

// The most voxels of a brick that are allowed.
inline double most_work(const Problem& p, Index ranks, double limit) {
  double least = 1e300;
  for_each_grid(ranks, [&](Index x, Index y, Index z) { least = std::min(least, brick(p, x, y, z)); });
  const double even = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k) /
                      static_cast<double>(ranks);
  return std::max(limit * even, least) * (1 + 1e-12);
}

inline Index volume_of_all(const Problem& p, Index pm, Index pn, Index pk) {
  Index all = 0;
  for (Index i = 0; i < pm; ++i)
    for (Index j = 0; j < pn; ++j)
      for (Index l = 0; l < pk; ++l) all += received(p, pm, pn, pk, i, j, l);
  return all;
}

inline Index least_volume(const Problem& p, Index ranks, double limit) {
  const double most = most_work(p, ranks, limit);
  Index least = std::numeric_limits<Index>::max();
  for_each_grid(ranks, [&](Index x, Index y, Index z) {
    if (brick(p, x, y, z) <= most) least = std::min(least, volume_of_all(p, x, y, z));
  });
  return least;
}

inline Index fewest_words(const Problem& p, Index ranks, double limit) {
  const double most = most_work(p, ranks, limit);
  Index fewest = std::numeric_limits<Index>::max();
  for_each_grid(ranks, [&](Index x, Index y, Index z) {
    if (brick(p, x, y, z) > most) return;
    // No need to look closer at a grid where one rank already receives more.
    if (received(p, x, y, z, 0, 0, 0) >= fewest) return;
    fewest = std::min(fewest, busiest(p, x, y, z));
  });
  return fewest;
}

struct Question {
  Problem problem;
  int ranks;
};

// Problems of all sizes, on up to 100,000 ranks: as many small ones as large.
inline std::vector<Question> random_questions(int count = 500) {
  std::mt19937 random(2);
  const auto log_uniform = [&](double most) {
    return static_cast<Index>(std::exp(std::uniform_real_distribution<double>(0, std::log(most))(random)));
  };
  std::vector<Question> all;
  for (int trial = 0; trial < count; ++trial) {
    Problem p = problem(log_uniform(50000), log_uniform(50000), log_uniform(50000));
    p.op_a = trial % 2 == 0 ? Op::none : Op::transpose;
    p.op_b = trial % 3 == 0 ? Op::none : Op::adjoint;
    all.push_back({p, static_cast<int>(log_uniform(100000))});
  }
  return all;
}

}  // namespace cairn::plan::test
