// Which matrices share memory, against the addresses of all their elements.
#include "layout/matrix_view.hpp"

#include <gtest/gtest.h>

#include <set>

#include "layout/dist_matrix.hpp"
#include "layout/random_layout.hpp"

namespace cairn::layout {
namespace {

std::set<const double*> addresses(const MatrixView<double>& m, int rank) {
  std::set<const double*> all;
  for_each_element(m, rank, [&](Index, Index, double& x) { all.insert(&x); });
  return all;
}

// Two random matrices of one allocation, at random places in it.
TEST(MatrixView, SharesMemoryWhereAnElementLiesInOnePlace) {
  test::Random random(5);
  std::vector<double> memory(20000);
  int shared = 0, between = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const int ranks = test::pick_int(random, 1, 5), rank = test::pick_int(random, 0, ranks - 1);
    const auto view = [&] {
      Layout l = test::pick_layout(random, test::pick(random, 0, 20), test::pick(random, 0, 20), ranks);
      const Index ld = l.mesh() == nullptr ? 0 : l.least_leading_dimension(rank) + test::pick(random, 0, 40);
      return MatrixView<double>{std::move(l), memory.data() + test::pick(random, 0, 300), 10000, ld};
    };
    const MatrixView<double> x = view(), y = view();
    const std::set<const double*> of_x = addresses(x, rank), of_y = addresses(y, rank);
    const bool expected = std::ranges::any_of(of_x, [&](const double* at) { return of_y.contains(at); });
    EXPECT_EQ(share_memory(x, y, rank), expected) << x.layout.text() << " and " << y.layout.text();
    shared += expected;
    between += !expected && !of_x.empty() && !of_y.empty() && *of_x.begin() < *of_y.rbegin() &&
               *of_y.begin() < *of_x.rbegin();
  }
  EXPECT_GT(shared, 100);
  EXPECT_GT(between, 20);
}

}  // namespace
}  // namespace cairn::layout
