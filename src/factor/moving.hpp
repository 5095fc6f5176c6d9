// What it costs to bring A from where it lies to where a factorization wants it, and the factors back.
#pragma once

#include <optional>
#include <vector>

#include "bounds/machine.hpp"
#include "factor/cholesky_shape.hpp"
#include "factor/lu_shape.hpp"

namespace cairn::factor {

struct Moved {
  double mean_words = 0;  // per rank
  Index most_words = 0;   // of a rank, in the larger direction
  Index total_words = 0;
  Index most_messages = 0;

  double seconds(const Machine& machine, ScalarType type) const;
};

// Exactly: what layout::redistribute moves.
Moved moved(const layout::Layout& from, const layout::Layout& to, int ranks, ScalarType type);
// The factors of LU in the order of the pivots, in the layout in which A was: any row may be anywhere, so this is the
// expectation, rank by rank.
Moved moved_in_pivot_order(const LuShape& shape, const layout::Layout& to, int ranks);

// Blocks dealt to a grid that all ranks are on, each block column a step: a factorization can stay there.
struct UserGrid {
  int rows = 1, columns = 1;
  Index row_block = 1, step = 1;
  std::vector<int> owners;  // [a + b rows]: the rank at row a and column b
};
// One rank has everything, column after column.
bool is_one_block(const layout::Layout& a, int ranks);
std::optional<UserGrid> grid_of_user(const layout::Layout& a, int ranks);

}  // namespace cairn::factor
