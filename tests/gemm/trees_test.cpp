// Trees: their notation, the boxes they cut, the cells of the matrices, and words counted three ways.
#include <gtest/gtest.h>

#include "gemm/compile.hpp"
#include "gemm/native_view.hpp"
#include "gemm/random_trees.hpp"
#include "gemm/tree_count.hpp"
#include "program/count.hpp"
#include "support/trials.hpp"

namespace cairn::gemm {
namespace {

TEST(Tree, TextIsReadBack) {
  for (const char* text : {"1", "m2n3k4", "k7", "k(8:9){m2n2k2, m3n3}", "m(3:4){k3, n(1:1:2){1, 1, k2}}"})
    EXPECT_EQ(Tree::parse(text).text(), text);
  EXPECT_EQ(Tree::parse(" k( 8 : 9 ) { n2m2k2 , m3 n3 } ").text(), "k(8:9){m2n2k2, m3n3}");
  test::RandomTrees random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const Tree tree = random.tree(static_cast<int>(random.number(1, 60)));
    EXPECT_EQ(Tree::parse(tree.text()), tree);
  }
}

TEST(Tree, SaysWhatIsWrong) {
  const auto expect_error = [](const char* text, const char* part) {
    try {
      Tree::parse(text);
      ADD_FAILURE() << text << " was read";
    } catch (const ArgumentError& e) {
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    }
  };
  expect_error("", "character 0, expected m, n, k or 1");
  expect_error("x2", "expected m, n, k or 1");
  expect_error("m0", "expected a number");
  expect_error("m2m3", "names m twice");
  expect_error("k(8:9){m2n2k2, m3n2}", "has 6 bricks, expected 9");
  expect_error("k(8:9){m2n2k2}", "expected ','");
  expect_error("k(8){m2n2k2}", "expected 2 or more");
  expect_error("k(8:9){m2n2k2, m3n3", "expected '}'");
  expect_error("m2 n2 x", "expected nothing after it");
  expect_error("m99999999999999999999", "expected a number");
}

// Bricks fill the box: their volumes add up, and no two meet.
TEST(Tree, BricksFillTheBox) {
  test::RandomTrees random(11);
  for (int trial = 0; trial < cairn::test::trials(400); ++trial) {
    const Schedule s = random.schedule(40, static_cast<int>(random.number(1, 30)));
    SCOPED_TRACE(describe(s));
    const std::vector<Box> boxes = boxes_of(s);
    ASSERT_EQ(std::ssize(boxes), bricks_of(s));
    double volume = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      ASSERT_EQ(box_of(s, static_cast<int>(i)).sides, boxes[i].sides);
      volume += boxes[i].voxels();
      for (std::size_t j = 0; j < i; ++j)
        ASSERT_TRUE(std::ranges::any_of(all_dims,
                                        [&](Dim d) { return common(boxes[i][d], boxes[j][d]).count == 0; }));
    }
    ASSERT_EQ(volume, voxels(s.problem));
  }
}

// The largest brick is near an even share where sizes allow.
TEST(Tree, WorkIsEven) {
  test::RandomTrees random(12);
  for (int trial = 0; trial < cairn::test::trials(400); ++trial) {
    const int ranks = static_cast<int>(random.number(2, 64));
    Schedule s{.problem = {.m = 1, .n = 1, .k = 1}, .tree = random.shared_tree(ranks)};
    const Index least = 400 * ranks;  // a part may be 1 : ranks of a side
    for (Index* size : {&s.problem.m, &s.problem.n, &s.problem.k}) *size = random.number(least, 2 * least);
    EXPECT_LE(largest_brick(s) * ranks / voxels(s.problem), 1.02) << describe(s);
  }
}

// Who shares an element, by looking at all faces.
TEST(Tree, CellsAreWhereFacesMeet) {
  test::RandomTrees random(13);
  for (int trial = 0; trial < cairn::test::trials(200); ++trial) {
    const Schedule s = random.schedule(18, static_cast<int>(random.number(1, 20)));
    if (!s.problem.multiplies()) continue;
    SCOPED_TRACE(describe(s));
    const std::vector<Box> boxes = boxes_of(s);
    for (const Matrix x : all_matrices)
      for (const SharedCell& cell : cells_of(s, x))
        for (Index i = cell.rows.begin; i < cell.rows.end(); ++i)
          for (Index j = cell.cols.begin; j < cell.cols.end(); ++j) {
            std::vector<int> expected;
            for (std::size_t b = 0; b < boxes.size(); ++b) {
              const SharedCell face = face_of(s, x, boxes[b]);
              if (!boxes[b].empty() && common(face.rows, {i, 1}).count > 0 &&
                  common(face.cols, {j, 1}).count > 0)
                expected.push_back(static_cast<int>(b));
            }
            ASSERT_EQ(cell.sharers, expected) << name(x) << "(" << i << ", " << j << ")";
            ASSERT_EQ(sharers_of(s, x, i, j), expected);
          }
  }
}

TEST(Tree, EveryElementHasOnePlace) {
  test::RandomTrees random(14);
  for (int trial = 0; trial < cairn::test::trials(200); ++trial) {
    const Schedule s = random.schedule(18, static_cast<int>(random.number(1, 20)));
    SCOPED_TRACE(describe(s));
    for (const Matrix x : all_matrices) {
      const NativeLayout native(s, x);
      const layout::Layout general = general_layout(s, x);
      Index held = 0;
      for (int rank = 0; rank < bricks_of(s) + 2; ++rank) {
        for (const Piece& p : native.pieces(rank))
          for (Index j = 0; j < p.cols; ++j)
            for (Index i = 0; i < p.rows; ++i) {
              const NativeLayout::Owner owner = native.owner(p.row + i, p.col + j);
              ASSERT_EQ(owner.rank, rank);
              ASSERT_EQ(owner.offset, p.offset + i + j * p.rows);
              ASSERT_EQ(general.owner_of(p.row + i, p.col + j), rank);
            }
        held += native.local_count(rank);
        ASSERT_EQ(general.memory_elements(rank), native.local_count(rank));
      }
      ASSERT_EQ(held, native.rows() * native.cols());
    }
  }
}

// A tree that is a leaf has the cells and slices of the grid.
TEST(Tree, AGridIsATree) {
  const Grid grid{2, 3, 2};
  const Problem p{.m = 40, .n = 60, .k = 20};
  const Schedule plain{.problem = p, .grid = grid},
      leaf{.problem = p, .tree = std::make_shared<const Tree>(Tree::leaf(grid))};
  for (const Matrix x : all_matrices)
    for (int rank = 0; rank < grid.ranks(); ++rank) {
      const Piece a = NativeLayout(plain, x).pieces(rank).front(),
                  b = NativeLayout(leaf, x).pieces(rank).front();
      EXPECT_EQ(std::tuple(a.row, a.col, a.rows, a.cols), std::tuple(b.row, b.col, b.rows, b.cols));
    }
  EXPECT_EQ(totals(plain).words_total, totals(leaf).words_total);
  EXPECT_EQ(totals(plain).words_received, totals(leaf).words_received);
}

// Words of a brick are its face less what it owns, in the closed form and on the exchanges that run; nobody sends
// more than everybody receives.
TEST(Tree, WordsAreFacesLessWhatIsOwned) {
  test::RandomTrees random(15);
  for (int trial = 0; trial < cairn::test::trials(200); ++trial) {
    const int ranks = static_cast<int>(random.pick(std::array{2, 3, 5, 7, 11, 13, 16, 17, 22, 30, 36}));
    const Schedule s = random.schedule(150, ranks);
    if (!s.problem.multiplies()) continue;
    SCOPED_TRACE(describe(s));
    const std::vector<BrickWords> words = words_of_bricks(s);
    const Totals t = totals(s);
    Index received = 0, sent = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const program::Program program = compile(s, rank, ranks);
      const program::Counts counted = program::count(program);
      const BrickWords& w = words[static_cast<std::size_t>(rank)];
      ASSERT_EQ(counted.total().received.words, w.received) << "rank " << rank;
      ASSERT_EQ(counted.total().sent.words, w.sent) << "rank " << rank;
      ASSERT_LE(counted.work_bytes + counted.transient_bytes, t.work_bytes) << "rank " << rank;
      const Box box = box_of(s, rank);
      Index faces = 0, owned = 0;
      for (const Matrix x : all_matrices) {
        if (!box.empty()) faces += face_of(s, x, box).count();
        owned += NativeLayout(s, x).local_count(rank);
      }
      const comm::Counters gathered = program::moved_in(program, "gather"),
                           combined = program::moved_in(program, "combine C");
      ASSERT_EQ(gathered.received.words + combined.sent.words, faces - owned) << "rank " << rank;
      received += w.received;
      sent += w.sent;
    }
    ASSERT_EQ(received, sent);
    ASSERT_EQ(received, t.words_total);
    ASSERT_EQ(std::ranges::max(words, {}, &BrickWords::received).received, t.words_received);
  }
}

}  // namespace
}  // namespace cairn::gemm
