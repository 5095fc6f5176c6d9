// The native layout as a general one: the same element at the same place of the same rank.
#include "gemm/native_view.hpp"

#include <gtest/gtest.h>

#include "gemm/random_schedules.hpp"
#include "layout/dist_matrix.hpp"

namespace cairn::gemm {
namespace {

void expect_same_places(const Schedule& s, Matrix x) {
  const NativeLayout native(s, x);
  const layout::Layout general = general_layout(s, x);
  ASSERT_EQ(general.rows(), native.rows());
  ASSERT_EQ(general.columns(), native.cols());
  Index elements = 0;
  for (int rank = 0; rank < s.grid.ranks() + 2; ++rank) {
    ASSERT_EQ(general.memory_elements(rank), native.local_count(rank)) << describe(s);
    std::vector<double> memory(static_cast<std::size_t>(native.local_count(rank)));
    const layout::MatrixView<double> view{general, memory.data(), static_cast<Index>(memory.size()), 0};
    layout::for_each_element(view, rank, [&](Index i, Index j, const double& element) {
      const auto [owner, offset] = native.owner(i, j);
      ASSERT_EQ(owner, rank) << describe(s);
      ASSERT_EQ(offset, &element - memory.data()) << describe(s);
      ++elements;
    });
  }
  EXPECT_EQ(elements, native.rows() * native.cols());
}

TEST(NativeView, SameElementsAtTheSamePlaces) {
  test::RandomSchedules random(21);
  for (int trial = 0; trial < 400 && !testing::Test::HasFailure(); ++trial) {
    const Schedule s = random.schedule(40, static_cast<int>(random.number(1, 30)));
    for (const Matrix x : all_matrices) expect_same_places(s, x);
  }
}

}  // namespace
}  // namespace cairn::gemm
