// The three ways to a bound agree: formulas written down, formulas derived from loops, and graphs that are
// counted vertex by vertex.
#include <gtest/gtest.h>

#include "bounds/factor.hpp"
#include "bounds/numeric.hpp"
#include "bounds/sequential.hpp"
#include "daap/examples.hpp"
#include "pebble/problems.hpp"

namespace cairn::bounds {
namespace {

using daap::analyse_example;
using test::relative;

TEST(Agreement, LoopsGiveTheClosedForms) {
  const daap::Analysis lu = analyse_example("lu"), cholesky = analyse_example("cholesky");
  for (const Index n : {3, 100, 4096})
    for (const Index ranks : {1, 64})
      for (const double memory : {16.0, 1e6}) {
        const daap::Setting setting{{{"N", n}}, ranks, memory};
        EXPECT_LT(relative(daap::evaluate(lu, setting).parallel,
                           factor::lu_lower_bound(n, ranks, memory, factor::Count::loops)),
                  1e-12);
        EXPECT_LT(relative(daap::evaluate(cholesky, setting).parallel,
                           factor::cholesky_lower_bound(n, ranks, memory, factor::Count::loops)),
                  1e-12);
      }
}

TEST(Agreement, LoopsGiveTheLeadingTermOfTheoremOne) {
  const daap::Analysis mmm = analyse_example("mmm");
  for (const Product& p : {Product{10, 20, 30}, Product{1000, 7, 9}, Product{64, 64, 64}})
    for (const double memory : {9.0, 400.0})
      EXPECT_LT(relative(daap::evaluate(mmm, {{{"m", p.m}, {"n", p.n}, {"k", p.k}}, 1, memory}).sequential,
                         sequential::theorem1(p, memory) - words_c(p)),
                1e-12);
}

TEST(Agreement, GraphsHaveTheVerticesOfTheLoops) {
  const daap::Analysis lu = analyse_example("lu"), cholesky = analyse_example("cholesky"),
                       syrk = analyse_example("syrk");
  const auto vertices = [](const daap::Analysis& program, std::map<std::string, Index> sizes) {
    std::vector<double> counts;
    for (const auto& statement : daap::evaluate(program, {std::move(sizes), 1, 100}).statements)
      counts.push_back(statement.vertices);
    return counts;
  };
  for (const Index n : {2, 5, 12}) {
    const auto s = vertices(lu, {{"N", n}});
    EXPECT_EQ(s.at(1), as_real(pebble::lu_problem(n).updates()));
    EXPECT_EQ(s.at(0) + s.at(1), as_real(pebble::lu_problem(n).graph.computed()));
    const auto c = vertices(cholesky, {{"N", n}});
    EXPECT_EQ(c.at(2), as_real(pebble::cholesky_problem(n).updates()));
    EXPECT_EQ(c.at(0) + c.at(1) + c.at(2), as_real(pebble::cholesky_problem(n).graph.computed()));
    EXPECT_EQ(vertices(syrk, {{"N", n}, {"K", 3}}).at(0), as_real(pebble::syrk_problem(n, 3).updates()));
  }
}

}  // namespace
}  // namespace cairn::bounds
