// Pieces of blocks: cut out of a CSR block, and put together into one.
#pragma once

#include <span>
#include <vector>

#include "sparse/local/csr.hpp"
#include "sparse/packing.hpp"

namespace cairn::sparse {

// A piece and where its rows and columns lie in the block it becomes part of.
template <class T>
struct PlacedEntries {
  Entries<T> entries;
  std::span<const Local> row_at;     // by row of the piece
  std::span<const Local> column_at;  // by column of the piece
};

// A piece that is a sorted block already, and after how many of the others it is put in: pieces that follow each other in
// a row need no sorting.
template <class T>
struct PlacedBlock {
  const Csr<T>& block;
  std::span<const Local> row_at, column_at;
  int position = 0;
};

// The rows x columns block that the pieces make up; no place stands in two of them. Sorted.
template <class T>
Csr<T> assemble(Index rows, Index columns, std::span<const PlacedEntries<T>> pieces,
                const PlacedBlock<T>* own = nullptr);

// All entries of a sorted block.
template <class T>
Entries<T> entries_of(const Csr<T>& a);
// The block of these entries; its rows and columns are theirs.
template <class T>
Csr<T> block_of(const Entries<T>& e);
// Those whose row and whose column are marked; an empty mark list marks all.
template <class T>
Entries<T> marked_entries(const Csr<T>& a, std::span<const char> rows, std::span<const char> columns);

// Every entry of a sorted block goes to piece row_part[i] + row_parts * column_part[j], there at row
// row_nth[i] and column column_nth[j].
struct Dealing {
  std::span<const int> row_part, column_part;
  std::span<const Local> row_nth, column_nth;
  int row_parts = 1, column_parts = 1;
};
template <class T>
std::vector<Entries<T>> deal(const Csr<T>& a, const Dealing& to);

// Columns (rows) of a block that have an entry, ascending.
std::vector<Local> filled_columns(const PatternView& a);
std::vector<Local> filled_rows(const PatternView& a);

}  // namespace cairn::sparse
