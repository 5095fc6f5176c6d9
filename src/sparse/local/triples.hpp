// Entries in any order <-> rows.
#pragma once

#include <span>
#include <vector>

#include "io/sparse_triple.hpp"
#include "sparse/local/csr.hpp"
#include "sparse/local/semiring.hpp"

namespace cairn::sparse {

using io::Triple;

// A rectangle of a matrix: rows row .. row+rows-1 and columns column .. column+columns-1.
struct Block {
  Index row = 0;
  Index column = 0;
  Index rows = 0;
  Index columns = 0;
  friend bool operator==(const Block&, const Block&) = default;
};

// The block of the matrix whose entries stand in `triples` by their places in the whole matrix, in any order;
// those that stand twice are combined by S::add, in the order given. Sorted. Throws ArgumentError where one
// lies outside of the block, or the block has a side of 2^31 or more. O(entries + rows).
template <SemiringType S>
Csr<typename S::Value> from_triples(std::span<const Triple<typename S::Value>> triples, const Block& block);

// The entries, by their places in the whole matrix: row + first_row, column + first_column.
template <class T>
std::vector<Triple<T>> to_triples(const Csr<T>& a, Index first_row = 0, Index first_column = 0);

}  // namespace cairn::sparse
