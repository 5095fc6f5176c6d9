#include "daap/parser.hpp"

#include <gtest/gtest.h>

#include "daap/examples.hpp"
#include "daap/limits.hpp"

namespace cairn::daap {
namespace {

TEST(Parser, BuildsTheTree) {
  const Source source("# head\nfor k in 0..2*N-1 { S: A[k, -(k-3)] = g(b, A[k,k+1]); }", "p");
  const std::vector<Node> nodes = parse(source);
  ASSERT_EQ(nodes.size(), 1u);
  const auto& loop = std::get<LoopNode>(nodes[0].value);
  EXPECT_EQ(loop.variable, "k");
  EXPECT_EQ(loop.upper.value.text(), "2*N-1");
  const auto& statement = std::get<StatementNode>(loop.body.at(0).value);
  EXPECT_EQ(statement.label, "S");
  EXPECT_EQ(statement.function, "g");
  EXPECT_EQ(statement.output.indices.at(1).value.text(), "-k+3");
  ASSERT_EQ(statement.inputs.size(), 2u);
  EXPECT_TRUE(statement.inputs[0].indices.empty());
  EXPECT_EQ(source.position(statement.offset).line, 2);
}

struct Mistake {
  std::string text;
  std::string place;    // line:column
  std::string message;  // a part of it
};

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, PointAtThePlace) {
  const std::string error = error_of(GetParam().text);
  EXPECT_NE(error.find("p:" + GetParam().place + ": "), std::string::npos) << error;
  EXPECT_NE(error.find(GetParam().message), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(
    Grammar, Mistakes,
    testing::Values(Mistake{"for k in 0 N { }", "1:12", "found 'N', expected '..'"},
                    Mistake{"for k 0..N { }", "1:7", "expected 'in'"},
                    Mistake{"for k in 0..N {\n  A[k] = f(B[k])\n}", "3:1", "expected ';'"},
                    Mistake{"for k in 0..N { A[k] = f(B[k]);", "1:32", "found the end of the program"},
                    Mistake{"A[i = f();", "1:5", "expected ']' or ','"},
                    Mistake{"A[1] = 3;", "1:8", "expected the name of a function"},
                    Mistake{"A[1] = f(3);", "1:10", "expected an array access"},
                    Mistake{"A[1] @ f();", "1:6", "does not belong to the language"},
                    Mistake{"A[12345678] = f();", "1:3", "larger than"},
                    Mistake{"A[2k] = f();", "1:4", "must not begin with a digit"},
                    Mistake{"for i in 0..N { for j in 0..N { A[i*j] = f(); } }", "1:36", "is not affine"},
                    Mistake{"}", "1:1", "expected 'for' or a statement"}, Mistake{"", "1:1", "no statement"},
                    Mistake{"# nothing\n", "2:1", "no statement"}));

INSTANTIATE_TEST_SUITE_P(
    Names, Mistakes,
    testing::Values(Mistake{"for i in 0..N { for i in 0..N { A[i] = f(); } }", "1:21", "already used"},
                    Mistake{"S: A[1] = f();\nS: B[1] = f();", "2:1", "used twice"},
                    Mistake{"for i in 0..N { A[i] = f(A[i,i]); }", "1:26", "2 indices here and 1 above"},
                    Mistake{"for i in 0..N { A[i] = f(B[A]); }", "1:28", "an array and a size parameter"},
                    Mistake{"for A in 0..N { A[1] = f(); }", "1:5", "an array and a loop variable"},
                    Mistake{"for i in 0..i { A[i] = f(); }", "1:13", "used outside of the loop"},
                    Mistake{"for i in 0..M { A[i] = f(); }", "1:13", "M stands for the words"}));

INSTANTIATE_TEST_SUITE_P(
    Model, Mistakes,
    testing::Values(
        Mistake{"for i in 0..N { for r in 0..R { y[i] = f(y[i], A[i+r]); } }", "1:48", "not injective"},
        Mistake{"for i in 1..N { B[i] = f(A[i], A[i-1]); }", "1:32", "reach the same elements"},
        Mistake{"for i in 1..N { A[i] = f(A[i-1]); }", "1:26", "recurrence"},
        Mistake{"for t in 0..T { for i in 1..N { A[i] = f(A[i], A[i-1]); } }", "1:48", "recurrence"},
        Mistake{"for i in 0..0 { A[i] = f(B[i]); }", "1:5", "empty for all sizes"},
        Mistake{"for i in 0..N { for j in 0..K-i { A[i,j] = f(B[i,j]); } }", "1:21",
                "empty in some iterations"},
        Mistake{"for i in 0..N-R { A[i] = f(B[i]); } for j in N..R-1 { C[j] = f(B[j]); }", "1:1",
                "no large sizes"}));

TEST(Errors, ShowTheLineAndACaret) {
  EXPECT_EQ(
      error_of("for k in 0..N {\n\tA[k] = f(B[k] C[k]);\n}"),
      "p:2:16: found 'C', expected ')' or ',' after an input\n   A[k] = f(B[k] C[k]);\n                 ^");
}

TEST(Errors, CutLongLinesAndHideControlCharacters) {
  const std::string error = error_of(std::string(5000, ' ') + "A\x01[1] = f();");
  EXPECT_LT(error.size(), 400u);
  EXPECT_NE(error.find("A?[1]"), std::string::npos) << error;
}

std::string nested(std::size_t depth) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += "for i" + std::to_string(i) + " in 0..N { ";
  text += "A[1] = f(B[2]);";
  for (std::size_t i = 0; i < depth; ++i) text += " }";
  return text;
}

TEST(Limits, EndInErrorsNotInLongWork) {
  EXPECT_EQ(error_of(nested(most_nested_loops)), "");
  EXPECT_NE(error_of(nested(most_nested_loops + 1)).find("loops are nested"), std::string::npos);
  EXPECT_NE(error_of(nested(2000)).find("loops are nested"), std::string::npos);
  EXPECT_NE(error_of("A[" + std::string(10000, '(')).find("brackets"), std::string::npos);
  EXPECT_NE(error_of("A[" + std::string(10000, '-') + "1]").find("brackets"), std::string::npos);
  EXPECT_NE(error_of(std::string(most_bytes + 1, ' ')).find("bytes"), std::string::npos);
  EXPECT_NE(error_of("A[1] = f(B[" + std::string(20000, '1') + "]);").find("larger"), std::string::npos);
}

}  // namespace
}  // namespace cairn::daap
