// |V| against a count of the iterations, one by one.
#include "daap/domain.hpp"

#include <gtest/gtest.h>

#include <random>

#include "daap/examples.hpp"

namespace cairn::daap {
namespace {

using Sizes = std::map<std::string, Index>;

Index count_iterations(const std::vector<Loop>& loops, std::size_t depth, Sizes& at) {
  if (depth == loops.size()) return 1;
  Index count = 0;
  const Index upper = loops[depth].upper.value(at);
  for (Index i = loops[depth].lower.value(at); i < upper; ++i) {
    at[loops[depth].variable] = i;
    count += count_iterations(loops, depth + 1, at);
  }
  at.erase(loops[depth].variable);
  return count;
}

void expect_counts(const std::string& text, const std::vector<Sizes>& points) {
  const Analysis analysis = analyse(text, "p");
  const LoopProgram program = resolve(Source(text, "p"));
  for (const Sizes& sizes : points) {
    const Values values = evaluate(analysis, {sizes, 1, 100.0});
    for (std::size_t s = 0; s < program.statements.size(); ++s) {
      Sizes at = sizes;
      EXPECT_EQ(values.statements[s].vertices,
                static_cast<double>(count_iterations(program.statements[s].loops, 0, at)))
          << text << " statement " << s;
    }
  }
}

TEST(Domain, CountsShippedPrograms) {
  for (const char* name : {"lu", "cholesky"})
    expect_counts(example_text(name), {{{"N", 1}}, {{"N", 2}}, {{"N", 7}}, {{"N", 20}}});
  for (const char* name : {"trsm", "trsm_left_looking"})
    expect_counts(example_text(name), {{{"N", 1}, {"R", 3}}, {{"N", 9}, {"R", 4}}});
  expect_counts(example_text("syrk"), {{{"N", 5}, {"K", 3}}, {{"N", 1}, {"K", 1}}});
  expect_counts(example_text("tensor_contraction"), {{{"N", 1}}, {{"N", 3}}});
}

TEST(Domain, NarrowsLoopsWhoseInnerRangeWouldEndBelowItsBegin) {
  expect_counts("for k in 0..N { for i in k+1..N { for j in k+2..N { A[k,i,j] = f(B[k,i,j]); } } }",
                {{{"N", 2}}, {{"N", 3}}, {{"N", 11}}});
  expect_counts("for k in 0..N { for j in k+5..N { A[k,j] = f(B[k,j]); } }", {{{"N", 5}}, {{"N", 12}}});
  expect_counts("for i in 0..N { for j in 3..i { A[i,j] = f(B[i,j]); } }", {{{"N", 3}}, {{"N", 9}}});
  expect_counts("for i in 0..N { for j in i..N { for k in j+2..N-1 { A[i,j,k] = f(B[i,j,k]); } } }",
                {{{"N", 4}}, {{"N", 5}}, {{"N", 10}}});
}

TEST(Domain, SaysWhichSizesItNeeds) {
  const Analysis analysis = analyse("for i in 1..N-1 { B[i] = f(A[i]); }", "p");
  ASSERT_EQ(analysis.conditions, std::vector<std::string>{"N-2 >= 0"});
  EXPECT_THROW(evaluate(analysis, {{{"N", 1}}, 1, 10.0}), ArgumentError);
  EXPECT_EQ(evaluate(analysis, {{{"N", 2}}, 1, 10.0}).sequential, 0);
}

// Random nests: bounds lean on outer variables so that ranges are often empty, or begin below zero.
std::string random_nest(std::mt19937& random) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  std::string head, tail, index;
  std::vector<std::string> lowers{"0", "-2", "1"};
  std::vector<std::string> uppers{"N", "N+1", "N-1"};
  const int depth = pick(1, 4);
  for (int d = 0; d < depth; ++d) {
    const std::string v = "i" + std::to_string(d);
    head += "for " + v + " in " + lowers[static_cast<std::size_t>(pick(0, int(lowers.size()) - 1))] + ".." +
            uppers[static_cast<std::size_t>(pick(0, int(uppers.size()) - 1))] + " { ";
    tail += " }";
    index += (d == 0 ? "" : ",") + v;
    lowers.insert(lowers.end(), {v, v + "+1", v + "+2", "-" + v});
    uppers.insert(uppers.end(), {v + "+1", v, v + "-1", "N-" + v});
  }
  return head + "A[" + index + "] = f(B[" + index + "]);" + tail;
}

TEST(Domain, CountsRandomNests) {
  std::mt19937 random(7);
  int counted = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string text = random_nest(random);
    if (!error_of(text).empty()) continue;
    ++counted;
    expect_counts(text, {{{"N", 12}}, {{"N", 17}}});
  }
  EXPECT_GT(counted, 200);
}

}  // namespace
}  // namespace cairn::daap
