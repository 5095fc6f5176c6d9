#include "bounds/summa.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "bounds/numeric.hpp"

namespace cairn::bounds::summa {
namespace {

using test::relative;
using test::rounds_to_reach;
using Elements = std::set<std::pair<Index, Index>>;

// Elemental distributions as in section 5: which elements of a rows x columns matrix rank (s0, s1) holds.
using Owner = std::function<bool(Index s0, Index s1, Index i, Index j)>;

Elements held(const Owner& owns, Index s0, Index s1, Index rows, Index columns) {
  Elements all;
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j)
      if (owns(s0, s1, i, j)) all.insert({i, j});
  return all;
}

// Words rank (s0, s1) receives when the distribution changes, at most over the mesh.
double moved(const Owner& from, const Owner& to, const Mesh& mesh, Index rows, Index columns) {
  Index most = 0;
  for (Index s0 = 0; s0 < mesh.d0; ++s0)
    for (Index s1 = 0; s1 < mesh.d1; ++s1) {
      const Elements before = held(from, s0, s1, rows, columns), after = held(to, s0, s1, rows, columns);
      Index received = 0;
      for (const auto& e : after) received += before.count(e) == 0;
      most = std::max(most, received);
    }
  return as_real(most);
}

struct Layouts {
  Mesh mesh;
  Owner mc_mr() const {  // [(0),(1)]
    return [m = mesh](Index s0, Index s1, Index i, Index j) { return i % m.d0 == s0 && j % m.d1 == s1; };
  }
  Owner rows() const {  // [(0),()]
    return [m = mesh](Index s0, Index, Index i, Index) { return i % m.d0 == s0; };
  }
  Owner columns() const {  // [(),(1)]
    return [m = mesh](Index, Index s1, Index, Index j) { return j % m.d1 == s1; };
  }
  Owner column_major() const {  // [(0,1),()]
    return [m = mesh](Index s0, Index s1, Index i, Index) { return i % (m.d0 * m.d1) == s0 + s1 * m.d0; };
  }
  Owner row_major() const {  // [(1,0),()]
    return [m = mesh](Index s0, Index s1, Index i, Index) { return i % (m.d0 * m.d1) == s1 + s0 * m.d1; };
  }
  Owner row_projected() const {  // [(1),()]
    return [m = mesh](Index, Index s1, Index i, Index) { return i % m.d1 == s1; };
  }
};

const std::vector<Mesh> meshes{{2, 3, 1}, {4, 2, 1}, {3, 3, 1}, {1, 4, 1}};

struct Rectangle {
  Index m, n;
};
const std::vector<Rectangle> rectangles{{72, 144}, {144, 72}, {288, 216}};

TEST(Gemv, CostsAreWhatDistributionsMove) {
  for (const auto& [m, n] : rectangles)
    for (const Mesh& mesh : meshes) {
      const Layouts l{mesh};
      const double x = moved(l.row_major(), l.row_projected(), mesh, n, 1);
      // A reduce-scatter is an allgather backwards: the same words.
      const double y = moved(l.column_major(), l.rows(), mesh, m, 1);
      const double own = as_real(static_cast<Index>(held(l.mc_mr(), 0, 0, m, n).size()));
      EXPECT_DOUBLE_EQ(gemv(m, n, mesh).words, x + y);
      EXPECT_DOUBLE_EQ(gemv(m, n, mesh).flops, 2 * own + y);
      EXPECT_DOUBLE_EQ(gemv_transposed(m, n, mesh).words, x + y);
      EXPECT_DOUBLE_EQ(gemv_transposed(m, n, mesh).flops, 2 * own + x);
      EXPECT_DOUBLE_EQ(ger(m, n, mesh).words, x + y);
      EXPECT_DOUBLE_EQ(ger(m, n, mesh).flops, 2 * own);
    }
}

// Sizes that do not divide: the rank (0, 0) has the most rows and columns.
TEST(Gemv, FlopsAreThoseOfTheRankWithTheMost) {
  for (const auto& [m, n] : {Rectangle{7, 11}, Rectangle{13, 5}, Rectangle{1, 23}})
    for (const Mesh& mesh : meshes) {
      const double own = as_real(static_cast<Index>(held(Layouts{mesh}.mc_mr(), 0, 0, m, n).size()));
      EXPECT_DOUBLE_EQ(ger(m, n, mesh).flops, 2 * own);
      EXPECT_GE(gemv(m, n, mesh).flops, 2 * own);
    }
}

TEST(Gemv, MessagesAreRoundsInRowsAndColumns) {
  for (const Mesh& mesh : {Mesh{2, 4, 1}, Mesh{8, 2, 1}, Mesh{1, 16, 1}}) {
    const double all = as_real(rounds_to_reach(mesh.d0) + rounds_to_reach(mesh.d1));
    EXPECT_DOUBLE_EQ(gemv(64, 96, mesh).messages, all);
    EXPECT_DOUBLE_EQ(gemv_transposed(64, 96, mesh).messages, all);
    EXPECT_DOUBLE_EQ(ger(64, 96, mesh).messages, all);
  }
}

// What the paper prints for x := A^T y, and why it cannot be: m and n differ.
TEST(Gemv, ThePrintedTransposedFormHasSizesExchanged) {
  const double d0 = 2, d1 = 3, m = 24, n = 72;
  const double printed = (d1 - 1) / d1 * n / d0 + (d0 - 1) / d0 * m / d1;
  EXPECT_NE(gemv_transposed(24, 72, {2, 3, 1}).words, printed);
  EXPECT_DOUBLE_EQ(gemv_transposed(72, 24, {2, 3, 1}).words, printed);
}

const std::vector<Product> products{{24, 48, 72}, {48, 24, 72}, {96, 48, 144}};

// B[(1),()] <- B[(1,0),()] <- B[(0,1),()] <- B[(0),(1)]. The permutation is charged in full, as the paper
// does, where it moves anything.
double chain_to_row_projected(const Mesh& mesh, Index rows, Index columns) {
  const Layouts l{mesh};
  const double permuted = moved(l.column_major(), l.row_major(), mesh, rows, columns);
  const double held_by_one = as_real(static_cast<Index>(held(l.column_major(), 0, 0, rows, columns).size()));
  EXPECT_LE(permuted, held_by_one);
  return moved(l.mc_mr(), l.column_major(), mesh, rows, columns) + (permuted > 0 ? held_by_one : 0) +
         moved(l.row_major(), l.row_projected(), mesh, rows, columns);
}

TEST(Summa2d, CostsAreWhatDistributionsMove) {
  for (const Product& p : products)
    for (const Mesh& mesh : meshes) {
      const Layouts l{mesh};
      const double share = voxels(p) / as_real(ranks(mesh));
      const double a = moved(l.mc_mr(), l.rows(), mesh, p.m, p.k);
      const double b = moved(l.mc_mr(), l.columns(), mesh, p.k, p.n);
      EXPECT_DOUBLE_EQ(summa_2d(Stationary::c, p, mesh, 8).words, a + b);
      EXPECT_DOUBLE_EQ(summa_2d(Stationary::c, p, mesh, 8).flops, 2 * share);
      // Stationary A: C[(0),()] is summed into C[(0),(1)].
      const double by_rows = moved(l.mc_mr(), l.rows(), mesh, p.m, p.n);
      const Cost keeps_a = summa_2d(Stationary::a, p, mesh, 8);
      EXPECT_DOUBLE_EQ(keeps_a.words, chain_to_row_projected(mesh, p.k, p.n) + by_rows);
      EXPECT_DOUBLE_EQ(keeps_a.flops, 2 * share + by_rows);
      // Stationary B: the same chain for A, seen transposed on a d1 x d0 mesh; C[(),(1)] is summed within
      // columns.
      const double by_columns = moved(l.mc_mr(), l.columns(), mesh, p.m, p.n);
      const Cost keeps_b = summa_2d(Stationary::b, p, mesh, 8);
      EXPECT_DOUBLE_EQ(keeps_b.words, chain_to_row_projected({mesh.d1, mesh.d0, 1}, p.k, p.m) + by_columns);
      EXPECT_DOUBLE_EQ(keeps_b.flops, 2 * share + by_columns);
    }
}

TEST(Summa2d, OneRankMovesNothing) {
  for (const Stationary x : {Stationary::a, Stationary::b, Stationary::c}) {
    EXPECT_EQ(summa_3d(x, {30, 20, 10}, {1, 1, 1}, 5).words, 0);
    EXPECT_EQ(summa_3d(x, {30, 20, 10}, {1, 1, 1}, 5).messages, 0);
  }
}

// Panel by panel, the rounds of each collective: two allgathers if C stays; all-to-all, permutation,
// allgather and reduce-scatter if A or B does.
TEST(Summa2d, MessagesAreCollectivesCounted) {
  const Index block = 16;
  for (const Product& p : {Product{64, 128, 256}, Product{256, 64, 128}, Product{32, 32, 32}})
    for (const Mesh& mesh : {Mesh{4, 8, 1}, Mesh{2, 2, 1}, Mesh{8, 2, 1}}) {
      const Index in_rows = rounds_to_reach(mesh.d1), in_columns = rounds_to_reach(mesh.d0);
      Index a = 0, b = 0, c = 0;
      for (Index at = 0; at < p.k; at += block) c += in_rows + in_columns;
      for (Index at = 0; at < p.n; at += block) a += in_rows + 1 + in_columns + in_rows;
      for (Index at = 0; at < p.m; at += block) b += in_columns + 1 + in_rows + in_columns;
      EXPECT_DOUBLE_EQ(summa_2d(Stationary::c, p, mesh, 16).messages, as_real(c));
      EXPECT_DOUBLE_EQ(summa_2d(Stationary::a, p, mesh, 16).messages, as_real(a));
      EXPECT_DOUBLE_EQ(summa_2d(Stationary::b, p, mesh, 16).messages, as_real(b));
    }
}

// The printed totals of section 7.1 for square matrices, and eqs. (7.1) to (7.3) for others.
TEST(Summa3d, StationaryCIsThePrintedSum) {
  for (Index h : {2, 4, 8})
    for (Index d : {2, 4, 16}) {
      const double n = 960, p = as_real(d * d * h), layers = as_real(h), block = 32;
      const Cost cost = summa_3d(Stationary::c, {960, 960, 960}, {d, d, h}, block);
      EXPECT_LT(relative(cost.words, (2 * (std::sqrt(p / layers) - 1) + 3 * layers - 2) * n * n / p), 1e-12);
      EXPECT_LT(relative(cost.messages, n / (layers * block) * std::log2(p / layers) + 2 * std::log2(layers)),
                1e-12);
      EXPECT_LT(relative(cost.flops, 2 * n * n * n / p + n * n * layers / p), 1e-12);
    }
}

// The layers' moves played: rank (I, J, 0) hands out and takes in blocks.
TEST(Summa3d, LayersMoveTheirBlocks) {
  const Product p{48, 96, 72};
  for (Index h : {2, 3, 4}) {
    const Mesh mesh{2, 3, h}, layer{2, 3, 1};
    const auto share = [&](Index words) { return as_real(words) / 6; };
    const auto to_others = [&](Index words) {  // what the root of a scatter sends away
      Index away = 0;
      for (Index l = 1; l < h; ++l) away += words / 6 / h;
      return as_real(away);
    };
    const double a_inside = summa_2d(Stationary::a, {48, 96 / h, 72}, layer, 8).words;
    EXPECT_DOUBLE_EQ(summa_3d(Stationary::a, p, mesh, 8).words,
                     share(48 * 72) + to_others(48 * 96 + 72 * 96) + a_inside + to_others(48 * 96));
    const double b_inside = summa_2d(Stationary::b, {48 / h, 96, 72}, layer, 8).words;
    EXPECT_DOUBLE_EQ(summa_3d(Stationary::b, p, mesh, 8).words,
                     share(96 * 72) + to_others(48 * 96 + 48 * 72) + b_inside + to_others(48 * 96));
    // Messages: a tree for each operand that crosses the layers, and what a layer does inside; the sum over
    // layers of C is the only addition.
    const double tree = std::log2(as_real(h));
    EXPECT_DOUBLE_EQ(summa_3d(Stationary::a, p, mesh, 8).messages,
                     3 * tree + summa_2d(Stationary::a, {48, 96 / h, 72}, layer, 8).messages);
    EXPECT_DOUBLE_EQ(summa_3d(Stationary::b, p, mesh, 8).messages,
                     3 * tree + summa_2d(Stationary::b, {48 / h, 96, 72}, layer, 8).messages);
    EXPECT_DOUBLE_EQ(summa_3d(Stationary::a, p, mesh, 8).flops,
                     summa_2d(Stationary::a, {48, 96 / h, 72}, layer, 8).flops);
    EXPECT_DOUBLE_EQ(summa_3d(Stationary::c, p, mesh, 8).flops,
                     summa_2d(Stationary::c, {48, 96, 72 / h}, layer, 8).flops + share(48 * 96));
    const double c_inside = summa_2d(Stationary::c, {48, 96, 72 / h}, layer, 8).words;
    EXPECT_DOUBLE_EQ(summa_3d(Stationary::c, p, mesh, 8).words,
                     to_others(48 * 72 + 72 * 96) + c_inside + share(48 * 96));
  }
}

TEST(Summa3d, BestLayersIsTheNumericOptimum) {
  for (double k : {0.0, 0.1, 1.0})
    for (Index p : {64, 4096, 1000000}) {
      const auto overhead = [&](double h) { return 2 * (std::sqrt(as_real(p) / h) - 1) + 3 * h - 2 + k * h; };
      const double h = test::argmin(overhead, 0.01, as_real(p));
      EXPECT_LT(relative(best_layers_square(p, k), h), 1e-5);
    }
}

// Every triple up to the number of ranks, those that do not multiply to it left out.
TEST(Summa3d, BestIsTheLeastOfAllMeshes) {
  const Machine machine{.alpha = 50, .beta = 1, .gamma = 0.01};
  for (const Product& p : {Product{96, 96, 96}, Product{960, 48, 24}, Product{24, 480, 960}})
    for (Index count : {7, 12, 30}) {
      double least = std::numeric_limits<double>::infinity();
      for (Index d0 = 1; d0 <= count; ++d0)
        for (Index d1 = 1; d1 <= count; ++d1)
          for (Index h = 1; h <= count; ++h)
            for (Stationary x : {Stationary::a, Stationary::b, Stationary::c})
              if (d0 * d1 * h == count)
                least = std::min(least, seconds(summa_3d(x, p, {d0, d1, h}, 8), machine));
      const Choice choice = best(p, count, 8, machine);
      EXPECT_DOUBLE_EQ(seconds(choice.cost, machine), least);
      EXPECT_DOUBLE_EQ(seconds(summa_3d(choice.stationary, p, choice.mesh, 8), machine), least);
    }
}

TEST(Summa3d, BestTriesEverything) {
  const Machine wire{.alpha = 0, .beta = 1, .gamma = 0};
  // A large matrix stays: the one that is largest.
  EXPECT_EQ(best({4096, 4096, 64}, 16, 64, wire).stationary, Stationary::c);
  EXPECT_EQ(best({4096, 64, 4096}, 16, 64, wire).stationary, Stationary::a);
  EXPECT_EQ(best({64, 4096, 4096}, 16, 64, wire).stationary, Stationary::b);
  // The fewest words of C among whole meshes are near the stated number of layers.
  const Choice choice = best({8192, 8192, 8192}, 4096, 64, wire);
  EXPECT_EQ(ranks(choice.mesh), 4096);
  EXPECT_NEAR(std::log2(as_real(choice.mesh.h)), std::log2(best_layers_square(4096, 0)), 1.0);
  EXPECT_THROW(best({1, 1, 1}, 0, 1, wire), ArgumentError);
  EXPECT_THROW(summa_2d(Stationary::a, {1, 1, 1}, {1, 1, 2}, 1), ArgumentError);
}

}  // namespace
}  // namespace cairn::bounds::summa
