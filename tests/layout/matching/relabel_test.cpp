// Relabelling with real layouts: the words that move afterwards, against an optimum found another way and
// against a count over the elements.
#include "layout/matching/relabel.hpp"

#include <gtest/gtest.h>

#include "layout/kinds.hpp"
#include "layout/matching/matching_support.hpp"
#include "layout/random_layout.hpp"

namespace cairn::layout {
namespace {

// Words that change hands, element by element.
Index count_elements(const Layout& from, const Layout& to, Op op) {
  Index words = 0;
  for (Index j = 0; j < to.columns(); ++j)
    for (Index i = 0; i < to.rows(); ++i) {
      const Index si = op == Op::none ? i : j, sj = op == Op::none ? j : i;
      const int row = to.row_map().part_of(i), column = to.column_map().part_of(j);
      const int from_row = from.row_map().part_of(si), from_column = from.column_map().part_of(sj);
      for (int copy = 0; copy < to.copies(row, column); ++copy)
        if (!from.holds(to.owner(row, column, copy), from_row, from_column)) ++words;
    }
  return words;
}

// What every rank has of what every position is to have: element by element, or by squares that no part cuts.
DenseWords words_in_common(const std::vector<RelabelledMove>& moves, int positions, int ranks,
                           Index side = 1) {
  Instance all{positions, ranks, {}};
  for (const RelabelledMove& m : moves)
    for (Index j = 0; j < m.fixed.columns(); j += side)
      for (Index i = 0; i < m.fixed.rows(); i += side)
        for (int position = 0; position < positions; ++position)
          if (m.relabelled.row_part_of(m.relabelled.mesh()->rank_at(position)) ==
                  m.relabelled.row_map().part_of(i) &&
              m.relabelled.column_part_of(m.relabelled.mesh()->rank_at(position)) ==
                  m.relabelled.column_map().part_of(j))
            all.benefits.push_back({position, m.fixed.owner_of(i, j), side * side});
  return dense_words(all);
}

TEST(Relabel, WordsMovedAreCountedByTheCells) {
  for (int round = 0; round < 200; ++round) {
    test::Random random(static_cast<std::uint64_t>(round));
    const int p = test::pick_int(random, 1, 9);
    const Index m = test::pick(random, 0, 25), n = test::pick(random, 0, 25);
    const Op op = round % 2 == 0 ? Op::none : Op::transpose;
    const Layout from =
        op == Op::none ? test::pick_layout(random, m, n, p) : test::pick_layout(random, n, m, p);
    const Layout to = test::pick_layout(random, m, n, p);
    ASSERT_EQ(words_moved(from, to, op), count_elements(from, to, op)) << from.text() << " -> " << to.text();
  }
}

// C 4096 x 4096, A 4096 x 256 and B 256 x 4096, dealt in blocks of 1024 round 4 x 4 ranks, to the native
// layouts of the brick grid [4, 4, 1]: C by bricks, A and B by slices of columns of the faces.
std::vector<RelabelledMove> flat_product() {
  const BlockCyclic user{
      .process_rows = 4, .process_columns = 4, .mb = 1024, .nb = 1024, .mesh_order = MeshOrder::row_major};
  const Mesh bricks({4, 4});
  const auto native = [&](Index rows, Index columns, const std::vector<int>& row_axis,
                          const std::vector<int>& column_axis) {
    const auto parts = [](const std::vector<int>& axis) {
      return axis.empty() ? 1 : axis.size() == 1 ? 4 : 16;
    };
    return Layout::on_mesh(bricks, {IndexMap::balanced(rows, parts(row_axis)), row_axis},
                           {IndexMap::balanced(columns, parts(column_axis)), column_axis});
  };
  return {{block_cyclic(4096, 4096, user), native(4096, 4096, {0}, {1})},
          {block_cyclic(4096, 256, user), native(4096, 256, {0}, {1})},
          {block_cyclic(256, 4096, user), native(256, 4096, {}, {0, 1})}};
}

TEST(Relabel, TheFlatProductMovesTheOptimum) {
  const std::vector<RelabelledMove> moves = flat_product();
  const Assignment best = relabel(moves, 16);
  EXPECT_EQ(best.method, AssignmentMethod::exact);
  Index words = 0, elements = 0;
  for (const RelabelledMove& m : moves) {
    words += words_moved(m.fixed, m.relabelled.on_ranks(best.rank_of), m.op);
    elements += m.fixed.rows() * m.fixed.columns();
  }
  const Index most_kept = best_by_relaxation(words_in_common(moves, 16, 16, 64), 16);
  EXPECT_EQ(words, elements - most_kept);
  EXPECT_EQ(best.kept, most_kept);
  // C stays where it is. A lies on four ranks, which keep 1024 x 64 of it each, and B on four, which keep
  // 256 x 256.
  EXPECT_EQ(words, 2 * 4096 * 256 - 4 * 1024 * 64 - 4 * 256 * 256);
}

TEST(Relabel, RandomLayoutsReachTheOptimum) {
  for (int round = 0; round < 100; ++round) {
    test::Random random(static_cast<std::uint64_t>(round));
    const int p = test::pick_int(random, 1, 12);
    std::vector<RelabelledMove> moves;
    const auto [d0, d1] = test::pick_mesh(random, p);
    Index elements = 0;
    for (int k = 0; k < 2; ++k) {
      const Index m = test::pick(random, 0, 40), n = test::pick(random, 0, 40);
      moves.push_back({test::pick_block_cyclic(random, m, n, p), blocked(m, n, d0, d1)});
      elements += m * n;
    }
    const Assignment best = relabel(moves, p);
    Index words = 0;
    for (const RelabelledMove& m : moves)
      words += words_moved(m.fixed, m.relabelled.on_ranks(best.rank_of), m.op);
    ASSERT_EQ(words, elements - best_by_relaxation(words_in_common(moves, d0 * d1, p), p));
  }
}

TEST(Relabel, NamesWhatIsWrong) {
  const auto error = [](const std::vector<RelabelledMove>& moves, int ranks) -> std::string {
    try {
      relabel(moves, ranks);
    } catch (const ArgumentError& e) {
      return e.what();
    }
    return "(no error)";
  };
  EXPECT_EQ(error({}, 4), "relabelling needs at least one move");
  EXPECT_EQ(
      error({{blocked(4, 4, 2, 2), blocked(4, 4, 2, 2)}, {blocked(4, 4, 2, 2), blocked(4, 4, 2, 1)}}, 4),
      "the relabelled layouts have 4 and 2 positions, expected the same");
  EXPECT_NE(error({{blocked(4, 5, 2, 2), blocked(4, 4, 2, 2)}}, 4).find("expected the same"),
            std::string::npos);
}

}  // namespace
}  // namespace cairn::layout
