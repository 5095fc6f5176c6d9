// The table of moves: complete, its words those of the paper's collectives, its paths shortest.
#include "layout/moves/moves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "bounds/collectives.hpp"
#include "layout/moves/move_plan.hpp"

namespace cairn::layout {
namespace {

std::vector<std::string> names_of(const std::vector<NamedMove>& chain) {
  std::vector<std::string> names;
  for (const NamedMove& m : chain) names.push_back(m.name());
  return names;
}

// Figure 5.1, from section 5.5 and tables 5.2 to 5.4 of the paper: (0) and (1) exchange the sides.
TEST(Moves, Figure51IsThere) {
  const std::vector<std::pair<std::string, int>> left{
      {"scatter [(0),(1)] -> [(0,1),()]", 1},       {"gather [(0,1),()] -> [(0),(1)]", 1},
      {"permutation [(0,1),()] -> [(1,0),()]", -1}, {"broadcast [(0),(1)] -> [(0),()]", 1},
      {"allgather [(0,1),()] -> [(0),()]", 1},      {"reduce-scatter ^(1)[(0),()] -> [(0,1),()]", 1},
      {"reduce ^(1)[(0),()] -> [(0),(1)]", 1},      {"allreduce ^(1)[(0),()] -> [(0),()]", 1},
      {"allgather [(0),()] -> [(),()]", 0},         {"local [(),()] -> [(0),()]", 0}};
  for (auto [name, along] : left) {
    EXPECT_EQ(find_move(name).along, along) << name;
    EXPECT_TRUE(find_move(name).applies(Shape::column)) << name;
    for (char& c : name) c = c == '0' ? '1' : c == '1' ? '0' : c;
    EXPECT_EQ(find_move(name).along, along < 0 ? along : 1 - along) << name;
    EXPECT_TRUE(find_move(name).applies(Shape::column)) << name;
  }
}

// Figure 6.1, from sections 6.1 to 6.3: the same for matrices, on the side of the rows and of the columns.
TEST(Moves, Figure61IsThere) {
  for (const std::string name :
       {"all-to-all [(0),(1)] -> [(0,1),()]",        "all-to-all [(0,1),()] -> [(0),(1)]",
        "permutation [(0,1),()] -> [(1,0),()]",      "permutation [(1,0),()] -> [(0,1),()]",
        "all-to-all [(1,0),()] -> [(1),(0)]",        "all-to-all [(1),(0)] -> [(1,0),()]",
        "all-to-all [(0),(1)] -> [(),(1,0)]",        "all-to-all [(),(1,0)] -> [(0),(1)]",
        "permutation [(),(1,0)] -> [(),(0,1)]",      "permutation [(),(0,1)] -> [(),(1,0)]",
        "all-to-all [(),(0,1)] -> [(1),(0)]",        "all-to-all [(1),(0)] -> [(),(0,1)]",
        "allgather [(0),(1)] -> [(0),()]",           "allgather [(0),(1)] -> [(),(1)]",
        "allgather [(1),(0)] -> [(1),()]",           "allgather [(1),(0)] -> [(),(0)]",
        "allgather [(0,1),()] -> [(0),()]",          "allgather [(1,0),()] -> [(1),()]",
        "allgather [(),(1,0)] -> [(),(1)]",          "allgather [(),(0,1)] -> [(),(0)]",
        "reduce-scatter ^(1)[(0),()] -> [(0),(1)]",  "reduce-scatter ^(0)[(),(1)] -> [(0),(1)]",
        "reduce-scatter ^(0)[(1),()] -> [(1),(0)]",  "reduce-scatter ^(1)[(),(0)] -> [(1),(0)]",
        "reduce-scatter ^(1)[(0),()] -> [(0,1),()]", "reduce-scatter ^(0)[(1),()] -> [(1,0),()]",
        "reduce-scatter ^(0)[(),(1)] -> [(),(1,0)]", "reduce-scatter ^(1)[(),(0)] -> [(),(0,1)]"})
    EXPECT_TRUE(find_move(name).applies(Shape::matrix)) << name;
}

TEST(Moves, NamesAreDifferentAndFindTheirMove) {
  std::set<std::string> names;
  for (const NamedMove& m : all_moves()) {
    EXPECT_TRUE(names.insert(m.name()).second) << m.name();
    EXPECT_EQ(find_move(m.name()), m);
    EXPECT_EQ(parse_distribution(m.from.text()), m.from);
    for (const Shape s : {Shape::matrix, Shape::column, Shape::row})
      if (m.applies(s)) {
        EXPECT_EQ(find_move(m.from.text(), m.to.text(), s), m) << "two moves do the same for a " << name(s);
      }
  }
  EXPECT_EQ(names.size(), 116U);
}

// Cells counted in the layouts themselves.
Index largest_cell(const Distribution& x, Index m, Index n, const Mesh& mesh) {
  const Layout layout = by_notation(m, n, x.notation.text(), mesh);
  Index most = 0;
  for (int r = 0; r < mesh.positions(); ++r) most = std::max(most, layout.elements(r));
  return most;
}

bounds::Cost model_cost(const NamedMove& m, double d, double before, double after, bool moves) {
  namespace cost = bounds::collectives;
  switch (m.collective) {
    case MoveKind::local:
      return {};
    case MoveKind::permutation:
      return moves ? cost::permute(before) : bounds::Cost{};
    case MoveKind::allgather:
      return cost::allgather(d, after);
    case MoveKind::all_to_all:
      return cost::all_to_all(d, before);
    case MoveKind::reduce_scatter:
      return cost::reduce_scatter(d, before);
    case MoveKind::allreduce:
      return cost::allreduce(d, before);
    case MoveKind::scatter:
      return cost::scatter(d, before);
    case MoveKind::gather:
      return cost::gather(d, after);
    case MoveKind::broadcast:
      return cost::broadcast(d, after);
    case MoveKind::reduce:
      return cost::reduce(d, before);
  }
  return {};
}

TEST(Moves, WordsAreThoseOfTheCollectivesInTheModel) {
  for (const NamedMove& m : all_moves())
    for (int d0 = 1; d0 <= 5; ++d0)
      for (int d1 = 1; d1 <= 4; ++d1) {
        const Index rows = m.shape == Shape::row ? 1 : 40, columns = m.shape == Shape::column ? 1 : 60;
        const Mesh mesh({d0, d1});
        const double before = static_cast<double>(largest_cell(m.from, rows, columns, mesh));
        const double after = static_cast<double>(largest_cell(m.to, rows, columns, mesh));
        EXPECT_DOUBLE_EQ(m.words(rows, columns, d0, d1),
                         model_cost(m, m.along == 0 ? d0 : d1, before, after, d0 > 1 && d1 > 1).words)
            << m.name() << " on " << d0 << " x " << d1;
      }
  EXPECT_EQ(find_move("allgather [(1,0),()] -> [(1),()]").formula(), "(d0-1)/d0 m/d1 n");
  EXPECT_EQ(find_move("scatter [(0),(1)] -> [(0,1),()]").formula(), "(d1-1)/d1 m/d0");
  EXPECT_EQ(find_move("allreduce ^(1)[(0),()] -> [(0),()]").formula(), "2 (d1-1)/d1 m/d0 n");
  EXPECT_EQ(find_move("permutation [(),(0,1)] -> [(),(1,0)]").formula(), "m n/d0/d1");
}

TEST(Moves, PathsAreThePapers) {
  using Names = std::vector<std::string>;
  // Section 5.5, "column to/from row-major vector", and the caption of figure 5.1.
  EXPECT_EQ(names_of(path("[(0),(1)]", "[(1),(0)]", Shape::column)),
            (Names{"scatter [(0),(1)] -> [(0,1),()]", "permutation [(0,1),()] -> [(1,0),()]",
                   "gather [(1,0),()] -> [(1),(0)]"}));
  // Table 5.4: b_j, a column, becomes x[(1),()].
  EXPECT_EQ(names_of(path("[(0),(1)]", "[(1),()]", Shape::column)),
            (Names{"scatter [(0),(1)] -> [(0,1),()]", "permutation [(0,1),()] -> [(1,0),()]",
                   "allgather [(1,0),()] -> [(1),()]"}));
  // Table 5.4: contributions to a row.
  EXPECT_EQ(names_of(path("^(1)[(0),()]", "[(1),(0)]", Shape::column)),
            (Names{"reduce-scatter ^(1)[(0),()] -> [(0,1),()]", "permutation [(0,1),()] -> [(1,0),()]",
                   "gather [(1,0),()] -> [(1),(0)]"}));
  // Section 6.2: B becomes B[(1),()].
  EXPECT_EQ(names_of(path("[(0),(1)]", "[(1),()]")),
            (Names{"all-to-all [(0),(1)] -> [(0,1),()]", "permutation [(0,1),()] -> [(1,0),()]",
                   "allgather [(1,0),()] -> [(1),()]"}));
  EXPECT_TRUE(path("[(0),(1)]", "[(0),(1)]").empty());
}

struct Length {
  double words = 0;
  std::size_t moves = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a pointer here
  auto operator<=>(const Length&) const = default;
};

// Distances by relaxing all edges until nothing changes.
TEST(Moves, PathsHaveTheFewestWordsThenTheFewestMoves) {
  constexpr int d0 = 8, d1 = 4;  // powers of two: sums of words are exact
  for (const Shape shape : {Shape::matrix, Shape::column, Shape::row}) {
    const Index m = shape == Shape::row ? 1 : 64, n = shape == Shape::column ? 1 : 32;
    std::map<std::pair<std::string, std::string>, Length> distance;
    std::vector<Distribution> nodes;
    for (const NamedMove& move : all_moves())
      for (const Distribution& x : {move.from, move.to})
        if (std::ranges::find(nodes, x) == nodes.end()) nodes.push_back(x);
    EXPECT_EQ(nodes.size(), 18U);
    for (const Distribution& x : nodes) distance[{x.text(), x.text()}] = {};
    for (std::size_t round = 0; round < nodes.size(); ++round)
      for (const Distribution& x : nodes)
        for (const NamedMove& move : all_moves()) {
          const auto before = distance.find({x.text(), move.from.text()});
          if (before == distance.end() || !move.applies(shape)) continue;
          const Length length{before->second.words + move.words(m, n, d0, d1), before->second.moves + 1};
          const auto [there, is_new] = distance.try_emplace({x.text(), move.to.text()}, length);
          if (!is_new) there->second = std::min(there->second, length);
        }
    for (const Distribution& x : nodes)
      for (const Distribution& y : nodes) {
        const auto known = distance.find({x.text(), y.text()});
        if (known == distance.end()) {
          EXPECT_FALSE(y.sum.empty()) << x.text() << " " << y.text();
          EXPECT_THROW(path(x, y, shape), ArgumentError);
          continue;
        }
        Length length;
        Distribution at = x;
        for (const NamedMove& move : cheapest_path(x, y, shape, m, n, d0, d1)) {
          EXPECT_EQ(move.from, at);
          EXPECT_TRUE(move.applies(shape));
          at = move.to;
          length = {length.words + move.words(m, n, d0, d1), length.moves + 1};
        }
        EXPECT_EQ(at, y);
        EXPECT_EQ(length, known->second) << x.text() << " " << y.text();
      }
  }
}

template <class F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const ArgumentError& e) {
    return e.what();
  }
  return "(no error)";
}

void expect_error(const std::function<void()>& f, const std::string& part) {
  const std::string text = error_of(f);
  EXPECT_NE(text.find(part), std::string::npos) << "got: " << text << "\nwanted: ..." << part << "...";
}

TEST(Moves, BadNamesAreNamed) {
  expect_error([] { find_move("allgather"); }, "there is no move 'allgather', expected a name like");
  expect_error(
      [] { find_move("[(0),(1)]", "[(1),(0)]"); },
      "no single collective turns a matrix in [(0),(1)] into [(1),(0)]; a chain of 3 does: all-to-all");
  expect_error([] { find_move("[(0),(1)", "[(1),(0)]"); }, "distribution '[(0),(1)' is wrong at character 9");
  expect_error([] { find_move("[(0),(2)]", "[(0),()]"); },
               "'[(0),(2)]' is not a distribution on a mesh of two");
  expect_error([] { path("[(0,0),()]", "[(0),()]"); }, "'[(0,0),()]' is not a distribution");
  expect_error([] { path("^(0)[(0),()]", "[(0),()]"); }, "'^(0)[(0),()]' is not a distribution");
  expect_error([] { path("[(0),()]", "^(1)[(0),()]"); }, "a sum cannot be taken apart again");
  expect_error([] { parse_distribution("^(1)"); }, "distribution '^(1)' has no [");
  expect_error([] { parse_distribution("^1[(0),()]"); }, "distribution '[1,()]' is wrong at character 2");
  expect_error([] { parse_distribution("x^(1)[(0),()]"); },
               "distribution 'x^(1)[(0),()]' is wrong at character 1");
}

TEST(Moves, LayoutsThatDoNotFitAreNamed) {
  const Mesh mesh({2, 3});
  const auto plan = [&](const char* name, const Layout& from, const Layout& to) {
    return [=, &mesh] {
      for (int r = 0; r < mesh.positions(); ++r) MovePlan(find_move(name), from, to, r);
    };
  };
  const auto at = [&](Index m, Index n, const char* notation, Index block = 1) {
    return by_notation(m, n, notation, mesh, block);
  };
  const char* gather = "allgather [(0,1),()] -> [(0),()]";
  plan(gather, at(9, 4, "[(0,1),()]"), at(9, 4, "[(0),()]"))();
  expect_error(plan(gather, at(9, 4, "[(1,0),()]"), at(9, 4, "[(0),()]")),
               "from is distributed as [(1,0),()], expected [(0,1),()]");
  expect_error(plan(gather, at(9, 4, "[(0,1),()]"), at(9, 4, "[(1),()]")),
               "to is distributed as [(1),()], expected [(0),()]");
  expect_error(plan(gather, at(9, 4, "[(0,1),()]"), at(9, 5, "[(0),()]")), "from is 9 x 4 and to is 9 x 5");
  expect_error(plan(gather, at(9, 4, "[(0,1),()]"), by_notation(9, 4, "[(0),()]", Mesh({3, 2}))),
               "from is on the mesh 2x3 and to on 3x2");
  expect_error(plan(gather, at(9, 4, "[(0,1),()]", 2), at(9, 4, "[(0),()]")), "are not aligned");
  expect_error(plan(gather, replicated(9, 4, 6), at(9, 4, "[(0),()]")), "expected a layout on a mesh of two");
  expect_error(plan("scatter [(0),(1)] -> [(0,1),()]", at(9, 2, "[(0),(1)]"), at(9, 2, "[(0,1),()]")),
               "the 2 columns lie in several parts, expected all in one");
  plan("scatter [(0),(1)] -> [(0,1),()]", at(9, 2, "[(0),(1)]", 2), at(9, 2, "[(0,1),()]", 2))();
}

}  // namespace
}  // namespace cairn::layout
