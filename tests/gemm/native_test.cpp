// The native layout, element by element.
#include "gemm/native.hpp"

#include <gtest/gtest.h>

#include "gemm/random_schedules.hpp"

namespace cairn::gemm {
namespace {

struct Stored {
  Index rows, cols;
};

Stored stored(const Problem& p, Matrix x) {
  if (x == Matrix::c) return {p.m, p.n};
  if (x == Matrix::a) return p.op_a == Op::none ? Stored{p.m, p.k} : Stored{p.k, p.m};
  return p.op_b == Op::none ? Stored{p.k, p.n} : Stored{p.n, p.k};
}

void expect_cover(const Schedule& s, Matrix x) {
  const NativeLayout layout(s, x);
  const Stored size = stored(s.problem, x);
  ASSERT_EQ(layout.rows(), size.rows);
  ASSERT_EQ(layout.cols(), size.cols);
  std::vector<int> owned(static_cast<std::size_t>(size.rows * size.cols), 0);
  for (int rank = 0; rank < s.grid.ranks(); ++rank) {
    const Coordinates at = coordinates(s.grid, rank);
    ASSERT_EQ(rank_at(s.grid, at), rank);
    Index end = 0;
    for (Index r = 0; r < layout.rounds(); ++r) {
      const Piece piece = layout.piece(at, r);
      ASSERT_EQ(piece.offset, end) << "rounds lie one after the other";
      end += piece.count();
      for (Index j = 0; j < piece.cols; ++j)
        for (Index i = 0; i < piece.rows; ++i) {
          const Index row = piece.row + i, col = piece.col + j;
          ++owned[static_cast<std::size_t>(row + col * size.rows)];
          const NativeLayout::Owner owner = layout.owner(row, col);
          ASSERT_EQ(owner.rank, rank);
          ASSERT_EQ(owner.offset, piece.offset + i + j * piece.rows);
        }
    }
    ASSERT_EQ(layout.local_count(rank), end);
  }
  for (const int times : owned) ASSERT_EQ(times, 1);
}

TEST(NativeLayout, EveryElementHasOnePlace) {
  test::RandomSchedules random(1);
  for (int trial = 0; trial < 400; ++trial) {
    const Schedule s = random.schedule(40, 24);
    SCOPED_TRACE(describe(s));
    for (const Matrix x : all_matrices) ASSERT_NO_FATAL_FAILURE(expect_cover(s, x));
  }
}

// The slices of a fibre, in order, are the face: what an allgather delivers is what BLAS reads.
TEST(NativeLayout, SlicesOfAFibreAreItsFace) {
  test::RandomSchedules random(2);
  for (int trial = 0; trial < 400; ++trial) {
    const Schedule s = random.schedule(60, 30);
    SCOPED_TRACE(describe(s));
    for (const Matrix x : all_matrices) {
      const NativeLayout layout(s, x);
      const Dim along = missing(x);
      const Coordinates at = coordinates(s.grid, static_cast<int>(random.number(0, s.grid.ranks() - 1)));
      for (Index r = 0; r < layout.rounds(); ++r) {
        const Piece face = layout.face(at, r);
        const comm::Partition slices = layout.slices(at, r);
        Index col = face.col;
        for (int position = 0; position < s.grid.extent(along); ++position) {
          const Piece piece = layout.piece(at.with(along, position), r);
          ASSERT_EQ(piece.count(), slices.count(position));
          ASSERT_EQ(piece.row, face.row);
          ASSERT_EQ(piece.rows, face.rows);
          ASSERT_EQ(piece.col, col);
          col += piece.cols;
        }
        ASSERT_EQ(col, face.col + face.cols);
      }
    }
  }
}

TEST(NativeLayout, PartsDifferByAtMostOne) {
  const Schedule s{.problem = {.m = 103, .n = 57, .k = 11}, .grid = {7, 5, 3}};
  for (int rank = 0; rank < s.grid.ranks(); ++rank) {
    const Piece c = NativeLayout(s, Matrix::c).face(coordinates(s.grid, rank), 0);
    EXPECT_TRUE(c.rows == 14 || c.rows == 15);
    EXPECT_TRUE(c.cols == 11 || c.cols == 12);
  }
}

TEST(NativeLayout, IsImmediateForAnyRankOfAHundredThousand) {
  const Schedule s{.problem = {.m = 1000003, .n = 999983, .k = 777777}, .grid = {46, 46, 47}};
  Index total = 0;
  for (int rank = 0; rank < 100000; ++rank) total += NativeLayout(s, Matrix::a).local_count(rank);
  EXPECT_EQ(total, Index{1000003} * 777777);
}

}  // namespace
}  // namespace cairn::gemm
