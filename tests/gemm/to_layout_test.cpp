// The native layout and its general form put every element in the same place.
#include "gemm/to_layout.hpp"

#include <gtest/gtest.h>

#include "gemm/random_schedules.hpp"

namespace cairn::gemm {
namespace {

Index address(const layout::Layout& l, int rank, Index row, Index col) {
  const int row_part = l.row_map().part_of(row), column_part = l.column_map().part_of(col);
  for (const layout::Cell& cell : l.cells_of(rank))
    if (cell.row_part == row_part && cell.column_part == column_part)
      return cell.offset + l.row_map().local_of(row) * cell.row_stride +
             l.column_map().local_of(col) * cell.column_stride;
  return -1;
}

TEST(ToLayout, EveryElementHasTheSamePlace) {
  test::RandomSchedules random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const Schedule s = random.schedule(25, 20);
    for (const Matrix x : all_matrices) {
      SCOPED_TRACE(describe(s));
      const NativeLayout native(s, x);
      const layout::Layout general = to_layout(s, x);
      ASSERT_EQ(general.rows(), native.rows());
      ASSERT_EQ(general.columns(), native.cols());
      for (Index j = 0; j < native.cols(); ++j)
        for (Index i = 0; i < native.rows(); ++i) {
          const NativeLayout::Owner owner = native.owner(i, j);
          ASSERT_EQ(general.owner_of(i, j), owner.rank) << "(" << i << ", " << j << ")";
          ASSERT_EQ(address(general, owner.rank, i, j), owner.offset) << "(" << i << ", " << j << ")";
        }
      for (int rank = 0; rank < s.grid.ranks(); ++rank)
        ASSERT_EQ(general.elements(rank), native.local_count(rank));
    }
  }
}

}  // namespace
}  // namespace cairn::gemm
