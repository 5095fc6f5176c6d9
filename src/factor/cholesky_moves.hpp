// Who sends which rows of a column of L to whom. The compiler and the counter read the same lists.
#pragma once

#include <vector>

#include "base/small_vector.hpp"
#include "factor/cholesky_shape.hpp"

namespace cairn::factor {

// Tiles of one class of rows in a column: all that a position needs, from the top on. Where the pattern is not symmetric
// some near the end are needed by nobody there, so that there may be two runs of them.
struct RowBlock {
  struct Run {
    int first;  // tile; the next ones are r apart
    int count;
    friend bool operator==(const Run&, const Run&) = default;
  };
  int row_class = 0;
  SmallVector<Run, 2> runs = {};
  Index rows = 0;

  friend bool operator==(const RowBlock& x, const RowBlock& y) {
    return x.row_class == y.row_class && std::ranges::equal(x.runs, y.runs);
  }
};

// One message of a step. A relayed one goes from a position that has only just received these rows itself.
struct ColumnMove {
  int from = 0, to = 0;
  bool relayed = false;
  std::vector<RowBlock> blocks = {};
  Index words = 0;
  bool first = false;  // rows that the next column waits for: the others give way
};

// Rows of column k go from their owner to all that need them, or to one of those which passes them on: as many words,
// sent by somebody else. Owners have others pass on only where some rank would send more than its share.
class CholeskyMoves {
 public:
  explicit CholeskyMoves(const CholeskyShape& shape);

  const std::vector<ColumnMove>& of_step(int k) const { return steps_[static_cast<std::size_t>(k)]; }

 private:
  struct Taker {
    int position;
    RowBlock block;
    int from = -1;  // another taker; -1: the owner
  };
  struct Group {  // of the rows of one class in a column
    int step = 0, owner = 0;
    std::vector<Taker> takers = {};
  };

  // What of a taker's rows the next column waits for: to update its own rows of that column it needs these rows, all of
  // them, and the topmost tile of the column's own class.
  enum class Urgent { nothing, topmost, all };
  Urgent urgent(int step, const Taker& t) const;
  std::vector<Group> groups_of(int k) const;
  void count_others(int k);
  void pass_on(Group& group, double margin);
  std::vector<ColumnMove> moves_of(int k, const std::vector<Group>& groups) const;
  bool owns_rows(int position, int k) const;
  Index& sent(int step, int position);
  Index words(const Group& g, const Taker& t) const { return t.block.rows * shape_.width(g.step); }

  const CholeskyShape& shape_;
  std::vector<Index> sent_;  // by rank, in all steps
  std::vector<std::vector<ColumnMove>> steps_;
};

}  // namespace cairn::factor
