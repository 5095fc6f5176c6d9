// Which columns of A and rows of B the others can use: an entry A(i,k) is of use to a rank only if its part
// of row k of B has an entry, and B(k,j) only if its part of column k of A has one. Each rank tells which k
// it has; holders send no others.
#pragma once

#include "sparse/brick_layouts.hpp"
#include "sparse/entry_exchange.hpp"
#include "sparse/local/csr.hpp"

namespace cairn::sparse {

struct NeededMarks {
  std::vector<std::vector<char>> columns_of_a;  // by j: columns of my block of A that (i, j, l) can use
  std::vector<std::vector<char>> rows_of_b;     // by i: rows of my block of B that (i, j, l) can use
};

// Collective over the ranks of a layer. Words: k/pk bits at most from the others for each of A (where pn > 1)
// and B (where pm > 1), fewer where lists of positions are shorter.
NeededMarks exchange_needed(comm::CommView comm, const BrickLayouts& layouts, const BrickSeat& seat,
                            const PatternView& a, const PatternView& b);

}  // namespace cairn::sparse
