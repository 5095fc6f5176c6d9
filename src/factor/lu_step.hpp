// Who sends how much to whom in one step of LU, from the numbers of rows alone. The compiler and the counter read
// the same lists.
#pragma once

#include <vector>

#include "cairn/pivoting.hpp"
#include "factor/lu_shape.hpp"

namespace cairn::factor {

// Rows of each class that are not pivots yet.
class RowsLeft {
 public:
  explicit RowsLeft(const LuShape& shape);
  Index of_class(int a) const { return left_[static_cast<std::size_t>(a)]; }
  Index of_position(const LuShape& shape, int q) const;
  void consume(const LuShape& shape, std::span<const Index> pivots);

 private:
  std::vector<Index> left_;
};

// The choice of pivots: everything before it is known which rows they are.
struct Tournament {
  struct Match {  // `loser` sends its candidates, `rows` of them, to `winner`
    int winner, loser;
    Index rows, winner_rows;
  };
  std::vector<int> order;         // positions with rows of the panel; the first ends up with the pivots
  std::vector<Index> candidates;  // of each of them, at first
  std::vector<std::vector<Match>> rounds;  // matches by number in `order`
};
Tournament tournament_of(const LuShape& shape, int step, const RowsLeft& left);

// Pivots and the factors of their block go down a binary tree over all ranks: first those that need all of them,
// then those of the layer, which solve with L00, then the others, which only mark the rows.
struct Spread {
  struct Stop {
    int rank;
    Index words;
  };
  std::vector<Stop> stops;  // children of stop i are 2 i + 1 and 2 i + 2
};
Spread spread_of(const LuShape& shape, int step, const Tournament& tournament,
                 PivotChoice pivoting = PivotChoice::tournament);
// With partial pivoting the positions of a tournament have seen all pivots go by: only the first of them tells others.
// The row that was elected goes down a binary tree of them, as `order` of a tournament with its owner first.
std::vector<int> row_tree(const LuShape& shape, int step, const RowsLeft& left, Index row);

// A part of the panel or of the pivot rows, from one position to another of the layer.
struct PartMove {
  int from, to;
  std::vector<int> classes;  // of the rows (L) or of the columns (U)
  Index rows, columns;
};
// L: rows that are left, v columns, to all that have columns left in these rows. `left`: after the step.
// With `only`, those from or to one position.
std::vector<PartMove> panel_moves(const LuShape& shape, int step, const RowsLeft& left, int only = -1);
// U: pivot rows, raw, to all in their columns that have rows.
std::vector<PartMove> pivot_row_moves(const LuShape& shape, int step, const RowsLeft& left,
                                      std::span<const Index> pivots, int only = -1);
// Pivot rows that a position has, and that every position has.
Index pivots_of(const LuShape& shape, int q, std::span<const Index> pivots);
std::vector<Index> pivots_of_positions(const LuShape& shape, std::span<const Index> pivots);

}  // namespace cairn::factor
