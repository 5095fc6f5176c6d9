#include "model/summa.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "model/numeric.hpp"

namespace cairn::model::summa {
namespace {

using test::relative;
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

TEST(Gemv, WordsAreWhatDistributionsMove) {
  for (const Mesh& mesh : meshes) {
    const Layouts l{mesh};
    const Index m = 72, n = 144;
    const double x = moved(l.row_major(), l.row_projected(), mesh, n, 1);
    // A reduce-scatter is an allgather backwards: the same words.
    const double y = moved(l.column_major(), l.rows(), mesh, m, 1);
    EXPECT_DOUBLE_EQ(gemv(m, n, mesh).words, x + y);
    EXPECT_DOUBLE_EQ(gemv(m, n, mesh).flops, 2.0 * 72 * 144 / as_real(ranks(mesh)) + y);
    EXPECT_DOUBLE_EQ(gemv_transposed(m, n, mesh).words, x + y);
    EXPECT_DOUBLE_EQ(gemv_transposed(m, n, mesh).flops, 2.0 * 72 * 144 / as_real(ranks(mesh)) + x);
    EXPECT_DOUBLE_EQ(ger(m, n, mesh).words, x + y);
    EXPECT_DOUBLE_EQ(ger(m, n, mesh).flops, 2.0 * 72 * 144 / as_real(ranks(mesh)));
    EXPECT_DOUBLE_EQ(gemv(m, n, mesh).messages, std::log2(as_real(ranks(mesh))));
  }
}

// What the paper prints for x := A^T y, and why it cannot be: m and n differ.
TEST(Gemv, ThePrintedTransposedFormHasSizesExchanged) {
  const double d0 = 2, d1 = 3, m = 24, n = 72;
  const double printed = (d1 - 1) / d1 * n / d0 + (d0 - 1) / d0 * m / d1;
  EXPECT_NE(gemv_transposed(24, 72, {2, 3, 1}).words, printed);
  EXPECT_DOUBLE_EQ(gemv_transposed(72, 24, {2, 3, 1}).words, printed);
}

TEST(Summa2d, WordsAreWhatDistributionsMove) {
  for (const Mesh& mesh : meshes) {
    const Layouts l{mesh};
    const Product p{24, 48, 72};
    const double a = moved(l.mc_mr(), l.rows(), mesh, p.m, p.k);
    const double b = moved(l.mc_mr(), l.columns(), mesh, p.k, p.n);
    EXPECT_DOUBLE_EQ(summa_2d(Stationary::c, p, mesh, 8).words, a + b);
    // Stationary A: B[(1),()] <- B[(1,0),()] <- B[(0,1),()] <- B[(0),(1)]; C[(0),()] summed into C[(0),(1)].
    const double all_to_all = moved(l.mc_mr(), l.column_major(), mesh, p.k, p.n);
    const double gathered = moved(l.row_major(), l.row_projected(), mesh, p.k, p.n);
    const double c = moved(l.mc_mr(), l.rows(), mesh, p.m, p.n);
    const double permuted = as_real(p.k * p.n) / as_real(ranks(mesh));  // charged in full, as the paper does
    EXPECT_LE(moved(l.column_major(), l.row_major(), mesh, p.k, p.n), permuted);
    const Cost cost = summa_2d(Stationary::a, p, mesh, 8);
    EXPECT_DOUBLE_EQ(cost.words, all_to_all + permuted + gathered + c);
    EXPECT_DOUBLE_EQ(cost.flops, 2 * voxels(p) / as_real(ranks(mesh)) + c);
  }
}

TEST(Summa2d, StationaryBMovesAAndC) {
  for (const Mesh& mesh : meshes) {
    const Layouts l{mesh};
    const Product p{48, 24, 72};
    // The same chain for A, by columns: A^T[(0),()] <- ... <- A^T[(1),(0)]; seen transposed on a d1 x d0
    // mesh.
    const Mesh turned{mesh.d1, mesh.d0, 1};
    const Layouts t{turned};
    const double chain = moved(t.mc_mr(), t.column_major(), turned, p.k, p.m) +
                         as_real(p.k * p.m) / as_real(ranks(mesh)) +
                         moved(t.row_major(), t.row_projected(), turned, p.k, p.m);
    const double c = moved(l.mc_mr(), l.columns(), mesh, p.m, p.n);  // C[(),(1)] summed within columns
    EXPECT_DOUBLE_EQ(summa_2d(Stationary::b, p, mesh, 8).words, chain + c);
  }
}

TEST(Summa2d, MessagesAreCollectivesCounted) {
  const Product p{64, 128, 256};
  const Mesh mesh{4, 8, 1};
  double c = 0, a = 0, b = 0;
  for (Index panel = 0; panel < 256 / 16; ++panel) c += 3 + 2;          // two allgathers
  for (Index panel = 0; panel < 128 / 16; ++panel) a += 3 + 1 + 2 + 3;  // four collectives
  for (Index panel = 0; panel < 64 / 16; ++panel) b += 2 + 1 + 3 + 2;
  EXPECT_DOUBLE_EQ(summa_2d(Stationary::c, p, mesh, 16).messages, c);
  EXPECT_DOUBLE_EQ(summa_2d(Stationary::a, p, mesh, 16).messages, a);
  EXPECT_DOUBLE_EQ(summa_2d(Stationary::b, p, mesh, 16).messages, b);
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
}  // namespace cairn::model::summa
