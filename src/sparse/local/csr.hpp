// A sparse matrix on one rank, by rows (CSR), and a form for blocks most of whose rows are empty (DCSR).
#pragma once

#include <cstdint>
#include <string_view>

#include "sparse/local/array.hpp"

namespace cairn::sparse {

// A column within a block. Blocks are cut so that 32 bits suffice; from_triples and check_csr see to it.
using Local = std::int32_t;
inline constexpr Index largest_side = INT32_MAX;  // of a block: rows and columns

// Where the entries of a matrix are: the rows, as ranges of `columns_of`. A view.
struct PatternView {
  Index rows = 0;
  Index columns = 0;
  const Index* starts = nullptr;      // rows + 1 of them
  const Local* columns_of = nullptr;  // of entry p
  bool sorted = true;

  Index entries() const { return starts[rows] - starts[0]; }
  Index entries_of(Index row) const { return starts[row + 1] - starts[row]; }
  std::span<const Local> row(Index i) const {
    return {columns_of + starts[i], static_cast<std::size_t>(entries_of(i))};
  }
};

// The same for the same pattern, and almost certainly another one for any other. O(rows + entries).
Index fingerprint(const PatternView& pattern);

// A matrix that lies elsewhere, or some of its rows: `starts` may point into the middle.
template <class T>
struct CsrView : PatternView {
  const T* values = nullptr;

  CsrView rows_from(Index first, Index last) const {
    return {{last - first, columns, starts + first, columns_of, sorted}, values};
  }
};

// Row i has the entries starts[i] .. starts[i+1]-1. No column stands twice in a row.
template <class T>
struct Csr {
  using Value = T;

  Index rows = 0;
  Index columns = 0;
  Array<Index> starts = {0};
  Array<Local> columns_of;
  Array<T> values;
  bool sorted = true;  // the columns ascend within every row

  static Csr zero(Index rows, Index columns) {
    Csr c;
    c.rows = rows;
    c.columns = columns;
    c.starts.assign(rows + 1, 0);
    return c;
  }
  Index entries() const { return starts.back(); }
  Index entries_of(Index row) const { return starts[row + 1] - starts[row]; }
  PatternView pattern() const { return {rows, columns, starts.data(), columns_of.data(), sorted}; }
  CsrView<T> view() const { return {pattern(), values.data()}; }
  operator CsrView<T>() const { return view(); }  // NOLINT: a matrix is a view of itself
  Index bytes() const {
    return starts.size() * static_cast<Index>(sizeof(Index)) +
           entries() * static_cast<Index>(sizeof(Local) + sizeof(T));
  }
  friend bool operator==(const Csr&, const Csr&) = default;
};

// The rows that have entries, ascending: row row_of[r] has the entries starts[r] .. starts[r+1]-1.
template <class T>
struct Dcsr {
  using Value = T;

  Index rows = 0;
  Index columns = 0;
  Array<Local> row_of;
  Array<Index> starts = {0};
  Array<Local> columns_of;
  Array<T> values;
  bool sorted = true;

  Index entries() const { return starts.back(); }
  Index filled_rows() const { return row_of.size(); }
  Index bytes() const {
    return starts.size() * static_cast<Index>(sizeof(Index)) +
           row_of.size() * static_cast<Index>(sizeof(Local)) +
           entries() * static_cast<Index>(sizeof(Local) + sizeof(T));
  }
  friend bool operator==(const Dcsr&, const Dcsr&) = default;
};

// The rows of a Dcsr that have entries, as a matrix of their own; its row r is row row_of[r].
template <class T>
CsrView<T> filled_view(const Dcsr<T>& a) {
  return {{a.filled_rows(), a.columns, a.starts.data(), a.columns_of.data(), a.sorted}, a.values.data()};
}

// The other form of the same matrix. The arrays of entries are moved, not copied, from an rvalue.
template <class T>
Dcsr<T> compress_rows(Csr<T> a);
template <class T>
Csr<T> expand_rows(Dcsr<T> a);

// Throws ArgumentError unless `a` keeps what is said above: sizes, ascending starts, columns in range (and
// ascending, if it says so), no column twice. O(entries). `name` is its name in the message.
template <class T>
void check_csr(const Csr<T>& a, std::string_view name);

// Columns ascending within every row.
template <class T>
void sort_rows(Csr<T>& a);

}  // namespace cairn::sparse
