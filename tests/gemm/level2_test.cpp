// The ways the vectors take: those of the paper's tables, with its words.
#include "gemm/level2.hpp"

#include <gtest/gtest.h>

#include "bounds/summa.hpp"

namespace cairn::gemm {
namespace {

using layout::by_notation;
using layout::Layout;
using layout::Mesh;
using Steps = std::vector<std::string>;

Layout column(Index n, const char* notation, int d0 = 2, int d1 = 3) {
  return by_notation(n, 1, notation, Mesh({d0, d1}));
}
Layout matrix(Index m, Index n, int d0 = 2, int d1 = 3) {
  return by_notation(m, n, "[(0),(1)]", Mesh({d0, d1}));
}

TEST(Level2, StepsAreThoseOfTheTables) {
  // Table 5.2
  EXPECT_EQ(plan_gemv(Op::none, matrix(12, 18), column(18, "[(1,0),()]"), column(12, "[(0,1),()]")).steps(),
            (Steps{"allgather [(1,0),()] -> [(1),()]", "reduce-scatter ^(1)[(0),()] -> [(0,1),()]"}));
  // Section 4.4, x := A^T y
  EXPECT_EQ(
      plan_gemv(Op::transpose, matrix(12, 18), column(12, "[(0,1),()]"), column(18, "[(1,0),()]")).steps(),
      (Steps{"allgather [(0,1),()] -> [(0),()]", "reduce-scatter ^(0)[(1),()] -> [(1,0),()]"}));
  // Section 4.4, y := A^T x: a permutation more on both sides
  EXPECT_EQ(
      plan_gemv(Op::transpose, matrix(12, 12), column(12, "[(1,0),()]"), column(12, "[(0,1),()]")).steps(),
      (Steps{"permutation [(1,0),()] -> [(0,1),()]", "allgather [(0,1),()] -> [(0),()]",
             "reduce-scatter ^(0)[(1),()] -> [(1,0),()]", "permutation [(1,0),()] -> [(0,1),()]"}));
  // Table 5.4: column j of B to row i of C
  const Layout b = matrix(18, 7).sub_matrix(0, 4, 18, 1), c = matrix(9, 12).sub_matrix(5, 0, 1, 12);
  EXPECT_EQ(plan_gemv(Op::none, matrix(12, 18), b, c).steps(),
            (Steps{"scatter [(0),(1)] -> [(0,1),()]", "permutation [(0,1),()] -> [(1,0),()]",
                   "allgather [(1,0),()] -> [(1),()]", "reduce-scatter ^(1)[(0),()] -> [(0,1),()]",
                   "permutation [(0,1),()] -> [(1,0),()]", "gather [(1,0),()] -> [(1),(0)]"}));
  // Section 6.2: a column to a column
  EXPECT_EQ(plan_gemv(Op::none, matrix(12, 18), b, matrix(12, 5).sub_matrix(0, 2, 12, 1)).steps().back(),
            "reduce ^(1)[(0),()] -> [(0),(1)]");
  // Table 5.3, with x and y on the wrong sides
  EXPECT_EQ(plan_ger(matrix(12, 18), column(12, "[(1,0),()]"), column(18, "[(0,1),()]")).steps(),
            (Steps{"permutation [(1,0),()] -> [(0,1),()]", "allgather [(0,1),()] -> [(0),()]",
                   "permutation [(0,1),()] -> [(1,0),()]", "allgather [(1,0),()] -> [(1),()]"}));
  // Section 6.1: broadcasts of a column and of a row
  EXPECT_EQ(
      plan_ger(matrix(12, 18), matrix(12, 5).sub_matrix(0, 3, 12, 1), matrix(5, 18).sub_matrix(3, 0, 1, 18))
          .steps(),
      (Steps{"broadcast [(0),(1)] -> [(0),()]", "broadcast [(1),(0)] -> [(1),()]"}));
  // What is there already does not move; what is dealt otherwise goes with redistribute
  EXPECT_EQ(plan_gemv(Op::none, matrix(12, 18), column(18, "[(1),()]"), column(12, "[(0),()]")).steps(),
            Steps{"allreduce ^(1)[(0),()] -> [(0),()]"});
  EXPECT_EQ(plan_gemv(Op::none, matrix(12, 18), layout::row_blocks(18, 1, 4), layout::on_one_rank(12, 1, 2))
                .steps(),
            (Steps{"redistribute", "allreduce ^(1)[(0),()] -> [(0),()]", "redistribute"}));
}

TEST(Level2, WordsAreThoseOfThePaper) {
  for (const auto& [d0, d1] : {std::pair(1, 1), {2, 3}, {4, 4}, {1, 7}, {7, 1}, {5, 2}}) {
    const Index p = d0 * d1, m = 4 * p, n = 6 * p;
    const bounds::summa::Mesh mesh{d0, d1, 1};
    const Layout a = matrix(m, n, d0, d1), x = column(n, "[(1,0),()]", d0, d1),
                 y = column(m, "[(0,1),()]", d0, d1);
    EXPECT_DOUBLE_EQ(plan_gemv(Op::none, a, x, y).words(), bounds::summa::gemv(m, n, mesh).words);
    EXPECT_DOUBLE_EQ(plan_gemv(Op::transpose, a, y, x).words(),
                     bounds::summa::gemv_transposed(m, n, mesh).words);
    EXPECT_DOUBLE_EQ(plan_ger(a, y, x).words(), bounds::summa::ger(m, n, mesh).words);
  }
}

void expect_error(const std::function<void()>& f, const std::string& part) {
  std::string text = "(no error)";
  try {
    f();
  } catch (const ArgumentError& e) {
    text = e.what();
  }
  EXPECT_NE(text.find(part), std::string::npos) << "got: " << text;
}

TEST(Level2, SizesThatDoNotFitAreNamed) {
  const Layout a = matrix(12, 18), x = column(18, "[(1,0),()]"), y = column(12, "[(0,1),()]");
  expect_error([&] { plan_gemv(Op::none, a, y, y); }, "x has 12 elements, expected 18: the columns of A");
  expect_error([&] { plan_gemv(Op::none, a, x, x); }, "y has 18 elements, expected 12: the rows of A");
  expect_error([&] { plan_gemv(Op::adjoint, a, x, x); }, "x has 18 elements, expected 12: the rows of A");
  expect_error([&] { plan_gemv(Op::none, a, matrix(18, 2), y); }, "x is 18 x 2, expected a row or a column");
  expect_error([&] { plan_ger(a, x, x); }, "y has 18 elements, expected 12: the rows of A");
  expect_error([&] { plan_ger(layout::replicated(12, 18, 6), y, x); }, "expected a layout on a mesh of two");
}

}  // namespace
}  // namespace cairn::gemm
