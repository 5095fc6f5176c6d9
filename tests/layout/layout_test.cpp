// Layouts against what their definitions say, element by element, and what is wrong with the wrong ones.
#include "layout/layout.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "layout/kinds.hpp"
#include "layout/random_layout.hpp"

namespace cairn::layout {
namespace {

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "(no error)";
}

// Every element has exactly the owners that hold it, at a place of its own within the memory.
void expect_consistent(const Layout& layout, int p) {
  std::map<std::pair<Index, Index>, int> holders;
  for (int rank = 0; rank < p; ++rank) {
    const Index gap = rank % 3;
    const Index ld = layout.mesh() == nullptr ? 0 : layout.least_leading_dimension(rank) + gap;
    const Index memory = layout.memory_elements(rank, ld);
    std::map<Index, int> used;
    Index elements = 0;
    for (const Cell& cell : layout.cells_of(rank, ld)) {
      ASSERT_TRUE(layout.holds(rank, cell.row_part, cell.column_part));
      for (Index c = 0; c < cell.columns; ++c)
        for (Index r = 0; r < cell.rows; ++r) {
          const Index at = cell.offset + r * cell.row_stride + c * cell.column_stride;
          ASSERT_GE(at, 0);
          ASSERT_LT(at, memory);
          ASSERT_EQ(used[at]++, 0) << layout.text();
          ++elements;
          ++holders[{layout.row_map().global_of(cell.row_part, r),
                     layout.column_map().global_of(cell.column_part, c)}];
        }
    }
    ASSERT_EQ(elements, layout.elements(rank));
  }
  for (Index j = 0; j < layout.columns(); ++j)
    for (Index i = 0; i < layout.rows(); ++i) {
      const int r = layout.row_map().part_of(i), c = layout.column_map().part_of(j);
      ASSERT_EQ((holders[{i, j}]), layout.copies(r, c)) << layout.text();
      for (int copy = 0; copy < layout.copies(r, c); ++copy)
        ASSERT_TRUE(layout.holds(layout.owner(r, c, copy), r, c)) << layout.text();
    }
}

TEST(Layout, RandomLayoutsOwnEveryElementOnce) {
  for (int round = 0; round < 400; ++round) {
    test::Random random(static_cast<std::uint64_t>(round));
    const int p = test::pick_int(random, 1, 12);
    const Layout layout = test::pick_layout(random, test::pick(random, 0, 30), test::pick(random, 0, 30), p);
    expect_consistent(layout, p);
    expect_consistent(layout.transposed(), p);
    ASSERT_LT(layout.last_rank(), p);
    ASSERT_TRUE(layout.transposed().transposed() == layout);
  }
}

TEST(Layout, TheNotationOfThePaper) {
  // Definitions 5.2 to 5.5: element i of a vector in D(0,1) is on process s0 + s1 d0 = i mod p.
  const Mesh mesh({2, 3});
  const auto owner = [&](const char* notation, Index i, Index j) {
    return by_notation(20, 20, notation, mesh).owner_of(i, j);
  };
  for (Index i = 0; i < 20; ++i)
    for (Index j = 0; j < 20; ++j) {
      EXPECT_EQ(owner("[(0),(1)]", i, j), i % 2 + 2 * (j % 3));
      EXPECT_EQ(owner("[(1),(0)]", i, j), j % 2 + 2 * (i % 3));
      EXPECT_EQ(owner("[(0,1),()]", i, j), i % 6);  // positions are counted down the columns of the mesh
      // D(1,0): s1 + s0 d1 = i mod p
      EXPECT_EQ(owner("[(1,0),()]", i, j), (i % 6) / 3 + 2 * (i % 3));
      EXPECT_EQ(owner("[(),(0,1)]", i, j), j % 6);
    }
  const Layout projected = by_notation(20, 20, "[(0),()]", mesh);
  EXPECT_TRUE(projected.is_replicated());
  EXPECT_EQ(projected.copies(1, 0), 3);
  for (int s1 = 0; s1 < 3; ++s1) EXPECT_TRUE(projected.holds(1 + 2 * s1, 1, 0));
  EXPECT_EQ(parse_notation(" [ ( 1 , 0 ) , ( ) ] ").text(), "[(1,0),()]");
}

TEST(Layout, ADescriptorIsTheSameAsItsBlocks) {
  const std::array<int, 9> descriptor{1, 0, 50, 40, 5, 3, 1, 2, 99};
  const Layout sub = from_descriptor(descriptor, 2, 3, 7, 4, 30, 20);
  for (Index i = 0; i < 30; ++i)
    for (Index j = 0; j < 20; ++j) {
      const int row = static_cast<int>(((i + 7) / 5 + 1) % 2),
                column = static_cast<int>(((j + 4) / 3 + 2) % 3);
      EXPECT_EQ(sub.owner_of(i, j), row * 3 + column);  // BLACS counts along the rows
    }
  EXPECT_EQ(error_of([&] { from_descriptor(descriptor, 2, 3, 30, 0, 30, 20); }),
            "rows 30 .. 60 of the sub-matrix do not lie in the 50 rows of the descriptor");
}

TEST(Layout, WrongRectanglesAreNamed) {
  const auto rectangle = [](Index r0, Index r1, Index c0, Index c1, int owner) {
    return Rectangle{r0, r1, c0, c1, {owner}, 0, 10};
  };
  const auto error = [&](std::vector<Rectangle> all) {
    return error_of([&] { Layout::of_rectangles(4, 6, all); });
  };
  EXPECT_EQ(error({rectangle(0, 4, 0, 4, 0), rectangle(2, 4, 3, 6, 1)}),
            "rectangles 0 and 1 overlap at element (2, 3)");
  EXPECT_EQ(error({rectangle(0, 4, 0, 4, 0), rectangle(0, 3, 4, 6, 1)}),
            "no rectangle covers element (3, 4)");
  EXPECT_EQ(error({rectangle(0, 5, 0, 6, 0)}), "rectangle 0 has rows 0 .. 5, expected a range within 0 .. 4");
  EXPECT_EQ(error({rectangle(0, 4, -1, 6, 0)}),
            "rectangle 0 has columns -1 .. 6, expected a range within 0 .. 6");
  EXPECT_EQ(error({rectangle(0, 4, 0, 6, -2)}), "owner of rectangle 0 is -2, expected 0 or more");
  EXPECT_EQ(error({Rectangle{0, 4, 0, 6, {}, 0, 4}}), "rectangle 0 has no owner");
  EXPECT_EQ(error({Rectangle{0, 4, 0, 6, {1, 1}, 0, 4}}), "rectangle 0 names owner 1 twice");
  EXPECT_EQ(error({Rectangle{0, 4, 0, 6, {1}, 0, 3}}),
            "leading dimension of rectangle 0 is 3, expected at least 4");
  EXPECT_EQ(error({}), "no rectangle covers element (0, 0)");
  EXPECT_EQ(error_of([] { Layout::of_rectangles(-1, 6, {}); }), "rows is -1, expected 0 or more");
  EXPECT_EQ(error({rectangle(0, 4, 0, 2, 0), rectangle(0, 4, 2, 6, 1)}), "(no error)");
}

TEST(Layout, WrongMeshesAndAxesAreNamed) {
  const auto on = [](const std::vector<int>& rows, const std::vector<int>& columns, int row_parts,
                     int column_parts) {
    return error_of([&] {
      Layout::on_mesh(Mesh({2, 3}), {IndexMap::balanced(9, row_parts), rows},
                      {IndexMap::balanced(9, column_parts), columns});
    });
  };
  EXPECT_EQ(on({0}, {0}, 2, 2), "mesh dimension 0 is named twice: some cells would have no owner");
  EXPECT_EQ(on({2}, {0}, 2, 2), "rows are dealt over mesh dimension 2, expected 0 <= dimension < 2");
  EXPECT_EQ(on({0}, {1}, 3, 3), "rows have 3 parts, expected 2: the extents of mesh dimensions (0)");
  EXPECT_EQ(error_of([] { Mesh({2, 0}); }), "extent 1 of a mesh is 0, expected 1 or more");
  EXPECT_EQ(error_of([] { Mesh({2}).on_ranks({1, 1}); }), "rank 1 sits at positions 0 and 1");
  EXPECT_EQ(error_of([] { Mesh({2}).on_ranks({1}); }), "1 ranks for the 2 positions of a mesh");
}

TEST(Layout, MeshesBothWays) {
  for (const MeshOrder order : {MeshOrder::column_major, MeshOrder::row_major}) {
    const Mesh mesh({2, 3, 4}, order);
    for (int q = 0; q < 24; ++q) EXPECT_EQ(mesh.position_of(mesh.rank_at(q)), q);
    EXPECT_EQ(mesh.position_of(24), std::nullopt);
  }
  EXPECT_EQ(Mesh({2, 3}, MeshOrder::row_major).rank_at(1), 3);  // position (1, 0)
}

TEST(ParseLayout, TextIsReadAsItIsWritten) {
  const auto same = [](const char* text, const Layout& expected) {
    EXPECT_TRUE(parse_layout(text, 30, 20) == expected) << text;
  };
  same("block-cyclic 2x3 mb=4 nb=5", block_cyclic(30, 20, {2, 3, 4, 5}));
  same("block-cyclic 2x3 mb=4", block_cyclic(30, 20, {2, 3, 4, 4}));
  same(" block-cyclic  2x3 rsrc=1 csrc=2 grid=row-major",
       block_cyclic(30, 20, {2, 3, 64, 64, 1, 2, MeshOrder::row_major}));
  same("elemental 2x3", elemental(30, 20, 2, 3));
  same("blocked 2x3", blocked(30, 20, 2, 3));
  same("rows 4", row_blocks(30, 20, 4));
  same("rows 4 order=column-major", row_blocks(30, 20, 4).in_order(Order::column_major));
  same("columns 4", column_blocks(30, 20, 4));
  same("rank 3", on_one_rank(30, 20, 3));
  same("replicated 4", replicated(30, 20, 4));
  same("[(0,1),()] 2x3", by_notation(30, 20, "[(0,1),()]", Mesh({2, 3})));
  same("[ (0), (1) ] 2x3 block=7", by_notation(30, 20, "[(0),(1)]", Mesh({2, 3}), 7));
  same("blocked 1x2 ranks=5,3", blocked(30, 20, 1, 2).on_ranks({5, 3}));
  same("cuts rows=0,10,30 columns=0,20",
       Layout::on_mesh(Mesh({2, 1}), {IndexMap::of_cuts(std::vector<Index>{0, 10, 30}), {0}},
                       {IndexMap::of_cuts(std::vector<Index>{0, 20}), {1}}));
}

TEST(ParseLayout, MalformedTextIsNamed) {
  const auto error = [](const char* text) { return error_of([&] { parse_layout(text, 30, 20); }); };
  const auto has = [&](const char* text, const char* part) {
    EXPECT_NE(error(text).find(part), std::string::npos) << text << " -> " << error(text);
  };
  has("", "layout is empty, expected one of block-cyclic");
  has("diagonal 2x2", "'diagonal' is not a kind of layout, expected block-cyclic");
  has("blocked", "expected one mesh like 2x3 after 'blocked', found 0 words");
  has("blocked 2x3 4", "found 2 words");
  has("blocked 2x", "'' in '2x' is not a number");
  has("blocked 2x3x4", "has 3 dimensions, expected 2");
  has("blocked 2x0", "has an extent of 0, expected 1 or more");
  has("blocked 2x-3", "has an extent of -3");
  has("blocked 99999999999999999999x1", "is not a number");
  has("blocked 100000x100000", "positions of a mesh");
  has("block-cyclic 2x2 mb=0", "block size is 0, expected 1 or more");
  has("block-cyclic 2x2 mb=x", "'x' in 'x' is not a number");
  has("block-cyclic 2x2 rsrc=2", "source is 2, expected 0 <= source < 2");
  has("block-cyclic 2x2 nbb=3", "unknown option 'nbb' for block-cyclic");
  has("block-cyclic 2x2 grid=sideways", "grid is 'sideways', expected row-major or column-major");
  has("rows 0", "ranks is 0, expected 1 or more");
  has("rank -1", "rank is -1, expected 0 or more");
  has("[(0),(1) 2x2", "is wrong at character");
  has("[(0),(2)] 2x2", "names mesh dimension 2, and the mesh 2x2 has 2");
  has("[(0),(0)] 2x2", "mesh dimension 0 is named twice");
  has("cuts rows=0,10,30", "columns= is missing");
  has("cuts rows=0,10,31 columns=0,20", "the last of rows is 31, expected 30");
  has("cuts rows=0,20,10,30 columns=0,20", "cuts[2] is 10, expected at least cuts[1] = 20");
  has("blocked 1x2 ranks=1,1", "rank 1 sits at positions 0 and 1");
}

}  // namespace
}  // namespace cairn::layout
