// What people do around a product. All of these return sorted rows if what they are given is sorted; add and
// multiply_elements need it sorted. Shapes that do not match are ArgumentErrors.
#pragma once

#include <span>

#include "sparse/local/csr.hpp"
#include "sparse/local/semiring.hpp"

namespace cairn::sparse {

// Sorted even where `a` is not. O(entries + rows + columns).
template <class T>
Csr<T> transpose(const Csr<T>& a);
template <class T>
Csr<T> conjugate(Csr<T> a);
template <class T>
Csr<T> adjoint(const Csr<T>& a) {
  return conjugate(transpose(a));
}

// Entries of either, those of both combined by S::add.
template <SemiringType S>
Csr<typename S::Value> add(const Csr<typename S::Value>& a, const Csr<typename S::Value>& b);
// Entries of both, combined by S::multiply.
template <SemiringType S>
Csr<typename S::Value> multiply_elements(const Csr<typename S::Value>& a, const Csr<typename S::Value>& b);

// Entries for which keep(row, column, value) holds.
template <class T, class Keep>
Csr<T> select(const Csr<T>& a, Keep&& keep);
// Entries whose absolute value is above `threshold`: 0 drops stored zeros.
template <class T>
Csr<T> prune(const Csr<T>& a, double threshold = 0);
template <class T>
Csr<T> lower_triangle(const Csr<T>& a, Index diagonal = 0);  // column - row <= diagonal
template <class T>
Csr<T> upper_triangle(const Csr<T>& a, Index diagonal = 0);  // column - row >= diagonal

// Entries where the pattern has one, or with `complement` where it has none. Both sorted.
template <class T>
Csr<T> mask(const Csr<T>& a, const PatternView& pattern, bool complement = false);

// Row r of the result is row rows[r] of `a`: any order, also twice.
template <class T>
Csr<T> extract_rows(const Csr<T>& a, std::span<const Index> rows);
// Column c of the result is column columns[c] of `a`; none twice. Sorted.
template <class T>
Csr<T> extract_columns(const Csr<T>& a, std::span<const Index> columns);
// Rows first_row .. last_row-1 and columns first_column .. last_column-1.
template <class T>
Csr<T> extract(const Csr<T>& a, Index first_row, Index last_row, Index first_column, Index last_column);
// Entry (i, j) goes to (new_row[i], new_column[j]): permutations; an empty one changes nothing. Sorted.
template <class T>
Csr<T> permute(const Csr<T>& a, std::span<const Index> new_row, std::span<const Index> new_column);
// Throws ArgumentError unless `p` holds each of 0 .. size-1 once.
void check_permutation(std::span<const Index> p, Index size, std::string_view name);

// By S::add; zero() where a row or column is empty.
template <SemiringType S>
Array<typename S::Value> row_sums(const Csr<typename S::Value>& a);
template <SemiringType S>
Array<typename S::Value> column_sums(const Csr<typename S::Value>& a);
// Entries of each column.
Array<Index> column_counts(const PatternView& a);

// One below the other; as many columns each.
template <class T>
Csr<T> stack_rows(std::span<const Csr<T>> parts);

// ---- bodies -----------------------------------------------------------------------------------------
template <class T, class Keep>
Csr<T> select(const Csr<T>& a, Keep&& keep) {
  Csr<T> c = Csr<T>::zero(a.rows, a.columns);
  c.sorted = a.sorted;
  for (Index i = 0; i < a.rows; ++i) {
    for (Index p = a.starts[i]; p < a.starts[i + 1]; ++p) {
      if (!keep(i, Index{a.columns_of[p]}, a.values[p])) continue;
      c.columns_of.push_back(a.columns_of[p]);
      c.values.push_back(a.values[p]);
    }
    c.starts[i + 1] = c.columns_of.size();
  }
  return c;
}

}  // namespace cairn::sparse
