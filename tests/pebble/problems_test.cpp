#include "pebble/problems.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace cairn::pebble {
namespace {

// Runs the graph as a program: every vertex's value from its parents' values, by the arithmetic that the
// statement of its coordinate prescribes. A wrong edge gives a wrong matrix.
std::vector<double> evaluate(const Problem& problem, const std::vector<double>& inputs) {
  std::vector<double> value = inputs;
  for (Vertex v = static_cast<Vertex>(problem.graph.inputs()); v < problem.graph.vertices(); ++v) {
    const auto p = problem.graph.parents(v);
    const auto x = [&](std::size_t q) { return value[static_cast<std::size_t>(p[q])]; };
    const Coordinate& c = problem.coordinate(v);
    if (problem.kernel == Kernel::syrk)
      value.push_back(x(0) * x(c.i == c.j ? 0 : 1) +
                      (c.k > 0 ? value[static_cast<std::size_t>(p.back())] : 0.0));
    else if (problem.kernel == Kernel::multiply)
      value.push_back(x(0) * x(1) + (p.size() == 3 ? x(2) : 0.0));
    else if (c.i == c.k)
      value.push_back(std::sqrt(x(0)));  // Cholesky S1; LU has no vertex with i == k
    else if (c.j == c.k)
      value.push_back(x(0) / x(1));
    else
      value.push_back(x(0) - x(1) * (p.size() == 3 ? x(2) : x(1)));
  }
  return value;
}

double entry(Index i, Index j) { return std::sin(static_cast<double>(3 * i + 7 * j + 1)); }

std::vector<double> dominant_matrix(Index n) {
  std::vector<double> a;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      a.push_back(entry(std::max(i, j), std::min(i, j)) + (i == j ? 2.0 * static_cast<double>(n) : 0.0));
  return a;
}

// The final value of each element, by the vertex that last wrote it.
std::vector<double> last_versions(const Problem& problem, const std::vector<double>& value,
                                  std::vector<double> element) {
  const Index n = problem.size[1];
  for (Vertex v = static_cast<Vertex>(problem.graph.inputs()); v < problem.graph.vertices(); ++v) {
    const Coordinate& c = problem.coordinate(v);
    element[static_cast<std::size_t>(c.i * n + c.j)] = value[static_cast<std::size_t>(v)];
  }
  return element;
}

TEST(Problems, MultiplyGraphMultiplies) {
  const Index m = 3, n = 4, k = 5;
  for (const bool accumulate : {false, true}) {
    const Problem problem = multiply_problem(m, n, k, accumulate);
    std::vector<double> in;
    for (Index x = 0; x < problem.graph.inputs(); ++x) in.push_back(entry(x, 2));
    const auto c =
        last_versions(problem, evaluate(problem, in), std::vector<double>(static_cast<std::size_t>(m * n)));
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < n; ++j) {
        double sum = accumulate ? entry(m * k + k * n + i * n + j, 2) : 0.0;
        for (Index l = 0; l < k; ++l) sum += entry(i * k + l, 2) * entry(m * k + l * n + j, 2);
        EXPECT_NEAR(c[static_cast<std::size_t>(i * n + j)], sum, 1e-12);
      }
  }
}

TEST(Problems, LuGraphFactorises) {
  const Index n = 6;
  const auto a = dominant_matrix(n);
  const Problem problem = lu_problem(n);
  const auto f = last_versions(problem, evaluate(problem, a), a);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      double sum = 0;
      for (Index k = 0; k <= std::min(i, j); ++k)
        sum +=
            (k == i ? 1.0 : f[static_cast<std::size_t>(i * n + k)]) * f[static_cast<std::size_t>(k * n + j)];
      EXPECT_NEAR(sum, a[static_cast<std::size_t>(i * n + j)], 1e-12);
    }
}

TEST(Problems, CholeskyGraphFactorises) {
  const Index n = 6;
  const auto a = dominant_matrix(n);
  std::vector<double> lower;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j) lower.push_back(a[static_cast<std::size_t>(i * n + j)]);
  const Problem problem = cholesky_problem(n);
  const auto l = last_versions(problem, evaluate(problem, lower), a);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j) {
      double sum = 0;
      for (Index k = 0; k <= j; ++k)
        sum += l[static_cast<std::size_t>(i * n + k)] * l[static_cast<std::size_t>(j * n + k)];
      EXPECT_NEAR(sum, a[static_cast<std::size_t>(i * n + j)], 1e-12);
    }
}

TEST(Problems, SyrkGraphMultipliesByTheTranspose) {
  const Index n = 4, k = 3;
  const Problem problem = syrk_problem(n, k);
  std::vector<double> in;
  for (Index x = 0; x < n * k; ++x) in.push_back(entry(x, 2));
  const auto c =
      last_versions(problem, evaluate(problem, in), std::vector<double>(static_cast<std::size_t>(n * n)));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j) {
      double sum = 0;
      for (Index l = 0; l < k; ++l) sum += entry(i * k + l, 2) * entry(j * k + l, 2);
      EXPECT_NEAR(c[static_cast<std::size_t>(i * n + j)], sum, 1e-12);
    }
  EXPECT_EQ(problem.graph.computed_outputs(), n * (n + 1) / 2);
}

// Outputs are the last versions: exactly one an element of the result.
TEST(Problems, OutputsAreTheElementsOfTheResult) {
  EXPECT_EQ(multiply_problem(3, 4, 5).graph.computed_outputs(), 12);
  EXPECT_EQ(lu_problem(5).graph.computed_outputs(), 20);  // the first row of U is the first row of A
  EXPECT_EQ(cholesky_problem(5).graph.computed_outputs(), 15);
  EXPECT_EQ(lu_problem(5).graph.inputs_read(), 25);
  EXPECT_EQ(lu_problem(1).graph.inputs_read(), 0);
}

TEST(Problems, UpdatesAreCountedByTheirLoops) {
  for (const Index n : {1, 2, 5, 9}) {
    Index lu = 0, cholesky = 0;
    for (Index k = 0; k < n; ++k)
      for (Index i = k + 1; i < n; ++i) {
        lu += n - k - 1;
        cholesky += i - k;
      }
    EXPECT_EQ(lu_problem(n).updates(), lu);
    EXPECT_EQ(cholesky_problem(n).updates(), cholesky);
  }
}

TEST(Problems, EveryVertexHasItsOwnName) {
  const Problem problems[] = {multiply_problem(2, 3, 4), multiply_problem(2, 3, 4, true), lu_problem(5),
                              cholesky_problem(5), syrk_problem(4, 3)};
  for (const Problem& problem : problems) {
    std::set<std::string> names;
    for (Vertex v = 0; v < problem.graph.vertices(); ++v) names.insert(problem.graph.name(v));
    EXPECT_EQ(static_cast<Index>(names.size()), problem.graph.vertices());
  }
  // Names agree with the coordinates.
  for (const Problem& problem :
       {lu_problem(6), cholesky_problem(6), multiply_problem(3, 4, 2, true), syrk_problem(5, 3)})
    for (Vertex v = static_cast<Vertex>(problem.graph.inputs()); v < problem.graph.vertices(); ++v) {
      const Coordinate& c = problem.coordinate(v);
      EXPECT_EQ(problem.graph.name(v).substr(1), fmt::format("({},{}) after step {}", c.i, c.j, c.k));
    }
}

TEST(Problems, ErrorsNameTheArgument) {
  EXPECT_THROW(multiply_problem(0, 1, 1), ArgumentError);
  EXPECT_THROW(lu_problem(-3), ArgumentError);
  Cdag graph(2);
  EXPECT_THROW(graph.add({2}), ArgumentError);
  try {
    cholesky_problem(0);
    FAIL();
  } catch (const ArgumentError& error) {
    EXPECT_STREQ(error.what(), "n is 0, expected 1 or more");
  }
}

}  // namespace
}  // namespace cairn::pebble
