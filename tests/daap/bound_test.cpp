// Bounds of whole programs against answers derived by hand.
#include "daap/bound.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "daap/examples.hpp"

namespace cairn::daap {
namespace {

const StatementPart& part(const Analysis& analysis, const std::string& label) {
  for (const StatementPart& statement : analysis.statements)
    if (statement.label == label) return statement;
  ADD_FAILURE() << label;
  return analysis.statements.front();
}

void expect_triangle_intensity(const StatementPart& statement, const std::vector<std::string>& variables) {
  EXPECT_EQ(statement.rho.text, "sqrt(M)/2");
  EXPECT_EQ(statement.x0.text, "3*M");
  EXPECT_EQ(statement.chi.text, "sqrt(3)*X^(3/2)/9");  // (X/3)^(3/2)
  EXPECT_TRUE(statement.exact);
  ASSERT_EQ(statement.tiles.size(), variables.size());
  for (std::size_t t = 0; t < variables.size(); ++t) {
    EXPECT_EQ(statement.tiles[t].variable, variables[t]);
    EXPECT_EQ(statement.tiles[t].size.text, "sqrt(M)");
  }
}

TEST(Multiply, TwoVoxelsOverTheRootOfMemory) {
  const Analysis mmm = analyse_example("mmm");
  EXPECT_EQ(mmm.sequential.text, "2*k*m*n/sqrt(M)");
  EXPECT_EQ(mmm.sequential.latex, "\\frac{2 k m n}{\\sqrt{M}}");
  expect_triangle_intensity(mmm.statements.at(0), {"i", "j", "p"});
}

TEST(Lu, Section61) {
  const Analysis lu = analyse_example("lu");
  EXPECT_EQ(lu.parallel.text, "N*(2*N - 1)*(N - 1)/(3*P*sqrt(M)) + N*(N - 1)/(2*P)");
  EXPECT_EQ(lu.parallel_leading.text, "2*N^3/(3*P*sqrt(M))");
  EXPECT_EQ(lu.parallel_leading.latex, "\\frac{2 N^{3}}{3 P \\sqrt{M}}");
  expect_triangle_intensity(part(lu, "S2"), {"k", "i", "j"});
  const StatementPart& s1 = part(lu, "S1");
  EXPECT_EQ(s1.parallel.text, "N*(N - 1)/(2*P)");
  EXPECT_EQ(s1.rho.text, "1");
  EXPECT_EQ(s1.out_degree_one, 1);
  EXPECT_EQ(s1.x0.text, "infinity");
  // Output reuse of A[i,k], which does not change its size since rho_S1 <= 1.
  const InputPart& column = part(lu, "S2").inputs.at(1);
  EXPECT_EQ(column.access, "A[i,k]");
  EXPECT_EQ(column.producers, std::vector<std::string>{"S1"});
  EXPECT_EQ(column.factor.text, "1");
  EXPECT_TRUE(lu.reuses.empty());
}

// The paper counts |V2| as sum (N-k)(N-k-1), one column less than its own loops (see the docs). Written with
// that range, every digit of section 6.1 comes out.
TEST(Lu, ThePaperOwnCountOfVertices) {
  const Analysis lu = analyse(
      "for k in 0..N { for i in k+1..N { S1: A[i,k] = f(A[i,k], A[k,k]);"
      "  for j in k+2..N { S2: A[i,j] = f(A[i,j], A[i,k], A[k,j]); } } }",
      "lu");
  for (const double n : {10.0, 1000.0, 65536.0}) {
    const Values values = evaluate(lu, {{{"N", Index(n)}}, 64, 2500.0});
    const double expected = (2 * n * n * n - 6 * n * n + 4 * n) / (3 * 64 * 50) + n * (n - 1) / (2 * 64);
    EXPECT_NEAR(values.parallel / expected, 1, 1e-14);
  }
}

TEST(Cholesky, Section62) {
  const Analysis cholesky = analyse_example("cholesky");
  EXPECT_EQ(cholesky.parallel_leading.text, "N^3/(3*P*sqrt(M))");
  EXPECT_EQ(cholesky.parallel.text, "N*(N + 1)*(N - 1)/(3*P*sqrt(M)) + N*(N - 1)/(2*P) + N/P");
  expect_triangle_intensity(part(cholesky, "S3"), {"k", "i", "j"});
  EXPECT_EQ(part(cholesky, "S1").rho.text, "1");
  EXPECT_EQ(part(cholesky, "S2").rho.text, "1");
  EXPECT_EQ(part(cholesky, "S2").inputs.at(1).producers, std::vector<std::string>{"S1"});
}

// A[i,k] and A[j,k] may be the same vertices. Counted as shared, a dominator set has at least half of both:
// I J + (I K + J K) / 2 <= X has X/3 for each term, chi = 2 (X/3)^(3/2), rho = sqrt(M).
TEST(Cholesky, WithoutTheAssumptionOfDisjointInputs) {
  EXPECT_FALSE(analyse_example("cholesky").notes.empty());
  const Analysis shared = analyse_example("cholesky", {.overlap = Overlap::shared});
  EXPECT_EQ(part(shared, "S3").rho.text, "sqrt(M)");
  EXPECT_EQ(shared.parallel_leading.text, "N^3/(6*P*sqrt(M))");
}

struct Known {
  std::string name;
  std::map<std::string, Index> sizes;
  std::function<double(double)> words;  // of M
};

class HandDerived : public testing::TestWithParam<Known> {};

TEST_P(HandDerived, SequentialAndParallel) {
  const Known& known = GetParam();
  const Analysis analysis = analyse_example(known.name);
  for (const double memory : {64.0, 1000.0, 1e6}) {
    const Values values = evaluate(analysis, {known.sizes, 7, memory});
    EXPECT_NEAR(values.sequential / known.words(memory), 1, 1e-12) << known.name << " M = " << memory;
    EXPECT_NEAR(values.parallel * 7 / known.words(memory), 1, 1e-12) << known.name << " M = " << memory;
  }
}

INSTANTIATE_TEST_SUITE_P(
    OneStatement, HandDerived,
    testing::Values(
        // I J + I + J <= X has I = J = t with t^2 + 2t = X. t^2 / (t^2 + 2t - M) is least at t = M: rho =
        // M / (M + 1). A is loaded once, and a vector once for every M rows or columns.
        Known{"matrix_vector", {{"m", 300}, {"n", 200}}, [](double m) { return 60000 * (1 + 1 / m); }},
        Known{"rank_one", {{"m", 300}, {"n", 200}}, [](double m) { return 60000 * (1 + 1 / m); }},
        // Two vectors are used once.
        Known{"dot", {{"n", 5000}}, [](double) { return 2 * 5000.0; }},
        // As many loads a vertex as the stencil has points.
        Known{"pooling_2d", {{"N", 40}}, [](double) { return 4 * 1600.0; }},
        Known{"pooling_3d", {{"N", 10}}, [](double) { return 8 * 1000.0; }},
        // t is in no access: both vectors are loaded once for all T steps.
        Known{"damped_steps", {{"N", 90}, {"T", 13}}, [](double) { return 2 * 90.0; }},
        // 11 (9 + 1) 9 / 2 vertices with the intensity of a product.
        Known{"syrk", {{"N", 9}, {"K", 11}}, [](double m) { return 2 * 11.0 * 45 / std::sqrt(m); }},
        // (ab), (cd), (ef) are the m, n, k of a product.
        Known{"tensor_contraction", {{"N", 8}}, [](double m) { return 2 * std::pow(8.0, 6) / std::sqrt(m); }},
        // I R + I J K + J R + K R <= X. Cover: w_T = 2/3, the others 1/3 (r: 3/3; i, j, k: 2/3 + 1/3), sigma
        // = 5/3, X0 = 5M/2. At X0 T takes 2/5 X0 = M, so I = J = K = M^(1/3); each other takes M/2, so R =
        // M^(2/3)/2. chi = M^(5/3)/2, rho = chi / (3M/2) = M^(2/3)/3.
        Known{"mttkrp", {{"N", 20}, {"R", 5}}, [](double m) { return 3 * 8000.0 * 5 / std::cbrt(m * m); }}));

INSTANTIATE_TEST_SUITE_P(
    SeveralStatements, HandDerived,
    testing::Values(
        // R N (N-1) / 2 updates, N R divisions whose B[k,j] is used once.
        Known{"trsm",
              {{"N", 30}, {"R", 10}},
              [](double m) { return 10 * 30.0 * 29 / std::sqrt(m) + 30.0 * 10; }},
        // The division reads what the updates computed: c = 2/sqrt(M), so 2/sqrt(M) loads a vertex, not 1.
        Known{"trsm_left_looking",
              {{"N", 30}, {"R", 10}},
              [](double m) { return 10 * 30.0 * 29 / std::sqrt(m) + 2 * 30.0 * 10 / std::sqrt(m); }},
        // QK: 2/sqrt(M) a vertex. SV: (2/sqrt(M)) I J + J L + I L <= 3M, each term M: I J = M^(3/2)/2, J L =
        // I L = M, so (I J L)^2 = M^(7/2)/2 and rho = M^(7/4)/(sqrt(2) 2 M) = M^(3/4)/(2 sqrt(2)).
        Known{"attention",
              {{"n", 100}, {"d", 16}},
              [](double m) { return 160000.0 * (2 / std::sqrt(m) + 2 * std::sqrt(2) / std::pow(m, 0.75)); }},
        // Each product alone 2 N^3/sqrt(M), of which B is N^3/sqrt(M); that is counted once.
        Known{"two_products", {{"N", 50}}, [](double m) { return 3 * 125000.0 / std::sqrt(m); }},
        // I + J <= 2M: I = J = M, rho = M. Then c = 1/M for T, and 1 + 1/M loads a vertex.
        Known{"outer_then_add", {{"N", 60}}, [](double m) { return 3600 / m + 3600 * (1 + 1 / m); }},
        // 2 + 2 loads a point, the one of A in common: 3.
        Known{"elementwise_pair", {{"N", 60}}, [](double) { return 3 * 3600.0; }}));

TEST(InputReuse, IsReportedByArray) {
  const Analysis pair = analyse_example("two_products");
  ASSERT_EQ(pair.reuses.size(), 1u);
  EXPECT_EQ(pair.reuses[0].array, "B");
  EXPECT_EQ(pair.reuses[0].statements, (std::vector<std::string>{"S1", "S2"}));
  EXPECT_EQ(pair.reuses[0].words.text, "N^3/sqrt(M)");
  EXPECT_EQ(pair.sequential.text, "3*N^3/sqrt(M)");
}

// Three readers of B: the largest number of loads stays, the others go (section 4.1).
TEST(InputReuse, OfThreeStatementsKeepsTheLargest) {
  const std::string loops = "for i in 0..N { for j in 0..N { for k in 0..N { ";
  const Analysis three = analyse(loops +
                                     "S1: C[i,j] = f(C[i,j], A[i,k], B[k,j]); S2: D[i,j] = f(D[i,j], E[i,k], "
                                     "B[k,j]); S3: F[i,j] = f(F[i,j], G[i,k], B[k,j]); } } }",
                                 "three");
  EXPECT_EQ(three.sequential.text, "4*N^3/sqrt(M)");  // 3 * 2 - 2 * 1
}

// Two statements that share everything load 3/2 Q each; taking that back leaves less than one alone needs.
TEST(InputReuse, NeverFallsBelowOneStatementAlone) {
  const Analysis twins = analyse(
      "for i in 0..N { for j in 0..N { for k in 0..N { S1: C[i,j] = f(U[i,j], A[i,k], B[k,j]);"
      " S2: D[i,j] = g(U[i,j], A[i,k], B[k,j]); } } }",
      "twins");
  EXPECT_EQ(twins.sequential.text, "2*N^3/sqrt(M)");
  EXPECT_NEAR(evaluate(twins, {{{"N", 100}}, 1, 100.0}).sequential, 2e5, 1e-6);
}

// Sizes at which a statement is never executed: it moves nothing and shares nothing.
TEST(Evaluate, StatementsWithoutIterations) {
  const Analysis analysis = analyse(
      "for t in 0..N-T { for i in 0..T { S1: y[i] = f(y[i], a[i]); } } for i in 0..T { S2: z[i] = f(a[i]); }",
      "p");
  ASSERT_EQ(analysis.reuses.size(), 1u);
  EXPECT_EQ(evaluate(analysis, {{{"N", 9}, {"T", 4}}, 1, 100.0}).sequential, 2 * 4 + 4 - 4);
  const Values empty = evaluate(analysis, {{{"N", 4}, {"T", 4}}, 1, 100.0});
  EXPECT_EQ(empty.statements[0].sequential, 0);
  EXPECT_EQ(empty.reuses[0], 0);
  EXPECT_EQ(empty.sequential, 4);
}

// S1 overwrites what it reads, so S2 cannot share that version: no reuse.
TEST(InputReuse, NotOfAVersionThatIsOverwritten) {
  const Analysis pair = analyse(
      "for i in 0..N { S1: A[i] = f(A[i], B[i]); } for i in 0..N { S2: C[i] = f(A[i], D[i]); }", "pair");
  EXPECT_TRUE(pair.reuses.empty());
  EXPECT_EQ(pair.sequential.text, "4*N");
}

TEST(OutputReuse, CanBeLeftOutAltogether) {
  // Without S[i,j]: J L + I L <= 2M with L = 1, I = J = M, rho = M.
  const Analysis free = analyse_example("attention", {.output_reuse = OutputReuse::free});
  EXPECT_EQ(part(free, "SV").sequential.text, "d*n^2/M");
  EXPECT_EQ(part(free, "SV").tiles.at(2).size.text, "1");
}

TEST(OutputReuse, NeedsAProducerOfIntensityAboveOne) {
  const Analysis attention = analyse_example("attention");
  EXPECT_EQ(attention.conditions, std::vector<std::string>{"sqrt(M)/2 >= 1"});
  EXPECT_THROW(evaluate(attention, {{{"n", 10}, {"d", 4}}, 1, 3.0}), ArgumentError);
}

// A statement without inputs makes graph inputs; setting C to zero first does not change the bound.
TEST(OutputReuse, NotOfStatementsWithoutInputs) {
  const Analysis mmm = analyse(
      "for i in 0..m { for j in 0..n { S0: C[i,j] = zero(); for p in 0..k { S1: C[i,j] = f(C[i,j], A[i,p], "
      "B[p,j]); } } }",
      "mmm");
  EXPECT_EQ(mmm.sequential.text, "2*k*m*n/sqrt(M)");
  EXPECT_FALSE(part(mmm, "S0").bounded);
}

TEST(Vertices, FactorsArePositive) {
  const Analysis analysis = analyse("for i in 5..N { for j in z..N { A[i,j] = f(B[i,j]); } }", "p");
  EXPECT_EQ(analysis.sequential.text, "(N - 5)*(N - z)");
  const Analysis four = analyse(
      "for i in 5..N { for j in z5..N { for k in 0..N { for r in 1..R { A[i,j,k,r] = f(B[i,j,k,r]); } } } }",
      "p");
  EXPECT_EQ(four.sequential.text, "N*(N - 5)*(N - z5)*(R - 1)");
}

TEST(Uncovered, ProgramsSayWhere) {
  EXPECT_NE(error_of(example_text("jacobi_2d")).find("p:3:24: A[i+1,j] and A[i-1,j]"), std::string::npos);
  EXPECT_NE(error_of(example_text("heat_3d")).find("p:3:20: A[t,i,j,k] reads"), std::string::npos);
  EXPECT_NE(error_of(example_text("convolution")).find("p:2:48: A[i+r] is not injective"), std::string::npos);
  // Counted as shared, the four points of Jacobi's stencil are one load a point.
  const Analysis jacobi = analyse_example("jacobi_2d", {.overlap = Overlap::shared});
  EXPECT_EQ(evaluate(jacobi, {{{"N", 12}}, 1, 10.0}).sequential, 100);
}

TEST(Strict, LeavesOutTheLastSubcomputation) {
  const Analysis mmm = analyse_example("mmm");
  const StatementValues values =
      evaluate(mmm, {{{"m", 100}, {"n", 100}, {"k", 100}}, 1, 100.0}).statements.at(0);
  EXPECT_EQ(values.x0, 300);
  EXPECT_NEAR(values.sequential, 2e5, 1e-6);
  EXPECT_NEAR(values.strict, 2e5 - 200, 1e-6);
  EXPECT_NEAR(values.tiles.at("p"), 10, 1e-12);
}

TEST(Evaluate, NamesTheSizeThatIsWrong) {
  const Analysis lu = analyse_example("lu");
  const auto error = [&](const Setting& setting) -> std::string {
    try {
      evaluate(lu, setting);
    } catch (const ArgumentError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(error({{}, 1, 10.0}), "the size N of lu has no value");
  EXPECT_EQ(error({{{"N", 0}}, 1, 10.0}), "the size N is 0, expected 1 or more");
  EXPECT_EQ(error({{{"N", 5}, {"K", 3}}, 1, 10.0}), "K = 3 is set, but lu has no size K");
  EXPECT_EQ(error({{{"N", 5}}, 0, 10.0}), "ranks is 0, expected 1 or more");
  EXPECT_EQ(error({{{"N", 5}}, 1, 0.0}), "memory is 0, expected 1 word or more");
}

// Blocked multiplication with square blocks of C (three blocks fit): its loads and stores, counted block by
// block, are never below the bound.
TEST(Multiply, NoBlockedScheduleIsBelowTheBound) {
  const Analysis mmm = analyse_example("mmm");
  for (const Index n : {16, 33, 64})
    for (const Index b : {1, 2, 4, 8}) {
      double words = 0;
      for (Index i = 0; i < n; i += b)
        for (Index j = 0; j < n; j += b) {
          const Index rows = std::min(b, n - i), columns = std::min(b, n - j);
          words += static_cast<double>(2 * rows * columns + (rows + columns) * n);
        }
      const double memory = static_cast<double>(b * b + 2 * b);
      EXPECT_GE(words, evaluate(mmm, {{{"m", n}, {"n", n}, {"k", n}}, 1, memory}).sequential);
    }
}

}  // namespace
}  // namespace cairn::daap
