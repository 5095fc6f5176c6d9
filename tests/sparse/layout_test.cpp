#include "sparse/sparse_layout.hpp"

#include <gtest/gtest.h>

#include <set>

#include "sparse/brick_layouts.hpp"
#include "sparse/spgemm_method.hpp"

using cairn::Index;
namespace sparse = cairn::sparse;
using sparse::Cut;
using sparse::SparseLayout;

namespace {

void expect_consistent(const Cut& cut) {
  Index counted = 0;
  for (int p = 0; p < cut.places(); ++p) {
    const auto all = cut.globals(p);
    EXPECT_EQ(static_cast<Index>(all.size()), cut.size(p));
    counted += cut.size(p);
    for (std::size_t x = 0; x < all.size(); ++x) {
      EXPECT_EQ(cut.place_of(all[x]), p);
      EXPECT_EQ(cut.local_of(all[x]), static_cast<Index>(x));
      EXPECT_EQ(cut.global_of(p, static_cast<Index>(x)), all[x]);
    }
  }
  EXPECT_EQ(counted, cut.length());
}

// Every entry has one owner, and the owner's position says the same.
void expect_partition(const SparseLayout& layout, int ranks) {
  expect_consistent(layout.row_cut());
  expect_consistent(layout.column_cut());
  std::set<int> owners;
  for (int r = 0; r < ranks; ++r) {
    const auto at = layout.position_of(r);
    if (!at) continue;
    EXPECT_EQ(layout.rank_at(*at), r);
    owners.insert(r);
  }
  EXPECT_EQ(static_cast<int>(owners.size()), layout.row_cut().places() * layout.column_cut().places());
  EXPECT_LT(layout.last_rank(), ranks);
}

}  // namespace

TEST(SparseLayout, RowsColumnsAndGridsOwnEveryEntryOnce) {
  for (const Index rows : {0, 1, 7, 30})
    for (const Index columns : {0, 1, 5, 31})
      for (int p = 1; p <= 12; ++p) {
        expect_partition(SparseLayout::row_blocks(rows, columns, p), p);
        expect_partition(SparseLayout::column_blocks(rows, columns, p), p);
        for (int pr = 1; pr <= p; ++pr)
          if (p % pr == 0) expect_partition(SparseLayout::grid(rows, columns, pr, p / pr), p);
      }
}

TEST(SparseLayout, MoreThan32BitsOnOneRankAreAnErrorThatSaysWhatIsPossible) {
  const Index many = Index{3} << 30;
  EXPECT_EQ(SparseLayout::grid(many, many, 2, 2).column_cut().longest(), many / 2);
  try {
    SparseLayout::row_blocks(many, many, 4);
    FAIL() << "columns of a block of rows are not cut";
  } catch (const cairn::ArgumentError& e) {
    EXPECT_STREQ(
        e.what(),
        "a rank would have 3221225472 rows or columns of a sparse matrix, expected at most 2147483647");
  }
}

TEST(SparseLayout, BlocksDifferByAtMostOneRow) {
  const SparseLayout layout = SparseLayout::row_blocks(10, 3, 4);
  EXPECT_EQ(layout.row_cut().size(0), 3);
  EXPECT_EQ(layout.row_cut().size(3), 2);
  EXPECT_EQ(layout.owner(0, 2), 0);
  EXPECT_EQ(layout.owner(9, 0), 3);
}

TEST(SparseLayout, TextIsReadAndWrongTextSaysWhatIsExpected) {
  EXPECT_EQ(SparseLayout::parse("2d 2x3", 9, 9, 6), SparseLayout::grid(9, 9, 2, 3));
  EXPECT_EQ(SparseLayout::parse("rows", 9, 9, 6), SparseLayout::row_blocks(9, 9, 6));
  EXPECT_EQ(SparseLayout::parse("on 4", 9, 9, 6).owner(3, 3), 4);
  for (const char* text : {"", "2d", "2d 2", "2d 3x3", "2d -1x2", "on 6", "on x", "row"})
    EXPECT_THROW(SparseLayout::parse(text, 9, 9, 6), cairn::ArgumentError) << text;
}

TEST(BrickLayouts, EveryGridAndOrderOwnsEveryEntryOnceAndLayersAgree) {
  for (int pm = 1; pm <= 3; ++pm)
    for (int pn = 1; pn <= 4; ++pn)
      for (int pk = 1; pk <= 4; ++pk)
        for (const auto order : {sparse::LayerOrder::contiguous, sparse::LayerOrder::dealt}) {
          const sparse::SparseGrid grid{pm, pn, pk};
          const auto all = sparse::brick_layouts({17, 13, 29}, grid, sparse::square_face(pk), order);
          for (const SparseLayout* layout : {&all.a, &all.b, &all.c}) expect_partition(*layout, grid.ranks());
          for (Index k = 0; k < 29; ++k) {
            EXPECT_EQ(all.a.column_cut().place_of(k) / pn, all.inner.place_of(k));
            EXPECT_EQ(all.b.row_cut().place_of(k) / pm, all.inner.place_of(k));
          }
        }
}

// Paper 004, figure 4: what moves from the 2D layouts moves among the layers only.
TEST(BrickLayouts, HomeLayoutsDifferFromBricksInTheLayerOnly) {
  for (int pm = 1; pm <= 3; ++pm)
    for (int pn = 1; pn <= 3; ++pn)
      for (int pk = 1; pk <= 6; ++pk) {
        const sparse::SparseGrid g{pm, pn, pk};
        const auto face = sparse::square_face(pk);
        const auto home = sparse::home_layouts({19, 23, 41}, g, face);
        const auto bricks = sparse::brick_layouts({19, 23, 41}, g, face, sparse::LayerOrder::dealt);
        expect_partition(home.a, g.ranks());
        expect_partition(home.b, g.ranks());
        for (Index i = 0; i < 19; ++i)
          for (Index k = 0; k < 41; ++k)
            EXPECT_EQ(home.a.owner(i, k) % (pm * pn), bricks.a.owner(i, k) % (pm * pn));
        for (Index k = 0; k < 41; ++k)
          for (Index j = 0; j < 23; ++j)
            EXPECT_EQ(home.b.owner(k, j) % (pm * pn), bricks.b.owner(k, j) % (pm * pn));
      }
}

TEST(SpgemmMethod, NamesAreReadBackAndGridsUseAllRanks) {
  for (const auto algorithm : sparse::all_spgemm_algorithms()) {
    EXPECT_EQ(sparse::parse_spgemm_algorithm(sparse::name(algorithm)), algorithm);
    for (int p = 1; p <= 64; ++p) {
      const auto method = sparse::named_method(algorithm, p);
      EXPECT_EQ(method.grid.ranks(), p);
      const auto all = sparse::layouts_of(method, {10, 11, 12});
      for (const SparseLayout* layout : {&all.a, &all.b, &all.c}) expect_partition(*layout, p);
    }
  }
  EXPECT_THROW(sparse::parse_spgemm_algorithm("cannon"), cairn::ArgumentError);
  EXPECT_THROW(sparse::named_method(sparse::SpgemmAlgorithm::aware_3d, 8, 3), cairn::ArgumentError);
  EXPECT_THROW(sparse::method_on(sparse::SpgemmAlgorithm::summa, {2, 2, 2}), cairn::ArgumentError);
}

// Section 4.4: m and n while d is large, k when the product is small beside the inputs.
TEST(SpgemmMethod, TheRecursionSplitsByCost) {
  const double n = 1e6;
  const auto dense = sparse::recursive_method(64, {64 * n, 64 * n, 64 * 64 * n});
  EXPECT_EQ(dense.grid, (sparse::SparseGrid{8, 8, 1}));
  const auto thin = sparse::recursive_method(64, {n, n, n});
  EXPECT_GT(thin.grid.pk, 4);
}
