// Operations that move entries: transpose, extract, permute, stack.
#include <numeric>
#include <vector>

#include "sparse/local/operations.hpp"

namespace cairn::sparse {
namespace {

void check_range(Index first, Index last, Index size, std::string_view name) {
  require(0 <= first && first <= last && last <= size, "the {} are {} to {}, expected a range within 0 to {}",
          name, first, last, size);
}

// Where each column goes: its number in the list, or -1.
Array<Local> places_of(std::span<const Index> columns, Index size) {
  Array<Local> place(size, -1);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    require(columns[c] >= 0 && columns[c] < size, "column {} of the list is {}, expected 0 to {}", c,
            columns[c], size - 1);
    require(place[columns[c]] < 0, "the list has column {} twice", columns[c]);
    place[columns[c]] = static_cast<Local>(c);
  }
  return place;
}

}  // namespace

Array<Index> column_counts(const PatternView& a) {
  Array<Index> counts(a.columns, 0);
  for (Index p = a.starts[0]; p < a.starts[a.rows]; ++p) ++counts[a.columns_of[p]];
  return counts;
}

template <class T>
Csr<T> transpose(const Csr<T>& a) {
  Csr<T> c = Csr<T>::zero(a.columns, a.rows);
  const Array<Index> counts = column_counts(a.pattern());
  std::inclusive_scan(counts.begin(), counts.end(), c.starts.begin() + 1);
  c.columns_of.resize(a.entries());
  c.values.resize(a.entries());
  Array<Index> next(c.starts.begin(), c.starts.end());
  for (Index i = 0; i < a.rows; ++i)
    for (Index p = a.starts[i]; p < a.starts[i + 1]; ++p) {
      const Index q = next[a.columns_of[p]]++;
      c.columns_of[q] = static_cast<Local>(i);
      c.values[q] = a.values[p];
    }
  return c;
}

template <class T>
Csr<T> extract_rows(const Csr<T>& a, std::span<const Index> rows) {
  Csr<T> c = Csr<T>::zero(static_cast<Index>(rows.size()), a.columns);
  c.sorted = a.sorted;
  for (Index r = 0; r < c.rows; ++r) {
    const Index row = rows[static_cast<std::size_t>(r)];
    require(row >= 0 && row < a.rows, "row {} of the list is {}, expected 0 to {}", r, row, a.rows - 1);
    c.starts[r + 1] = c.starts[r] + a.entries_of(row);
  }
  c.columns_of.resize(c.entries());
  c.values.resize(c.entries());
  for (Index r = 0; r < c.rows; ++r) {
    const Index row = rows[static_cast<std::size_t>(r)], begin = a.starts[row], count = a.entries_of(row);
    std::copy_n(a.columns_of.data() + begin, count, c.columns_of.data() + c.starts[r]);
    std::copy_n(a.values.data() + begin, count, c.values.data() + c.starts[r]);
  }
  return c;
}

template <class T>
Csr<T> extract_columns(const Csr<T>& a, std::span<const Index> columns) {
  const Array<Local> place = places_of(columns, a.columns);
  Csr<T> c = select(a, [&](Index, Index column, const T&) { return place[column] >= 0; });
  c.columns = static_cast<Index>(columns.size());
  for (Local& column : c.columns_of) column = place[column];
  c.sorted = c.sorted && std::is_sorted(columns.begin(), columns.end());
  sort_rows(c);
  return c;
}

template <class T>
Csr<T> extract(const Csr<T>& a, Index first_row, Index last_row, Index first_column, Index last_column) {
  check_range(first_row, last_row, a.rows, "rows");
  check_range(first_column, last_column, a.columns, "columns");
  Csr<T> c = Csr<T>::zero(last_row - first_row, last_column - first_column);
  c.sorted = a.sorted;
  for (Index i = first_row; i < last_row; ++i) {
    for (Index p = a.starts[i]; p < a.starts[i + 1]; ++p) {
      const Index column = a.columns_of[p];
      if (column < first_column || column >= last_column) continue;
      c.columns_of.push_back(static_cast<Local>(column - first_column));
      c.values.push_back(a.values[p]);
    }
    c.starts[i - first_row + 1] = c.columns_of.size();
  }
  return c;
}

void check_permutation(std::span<const Index> p, Index size, std::string_view name) {
  require(std::cmp_equal(p.size(), size), "{} has {} numbers, expected {}", name, p.size(), size);
  Array<std::uint8_t> seen(size, 0);
  for (const Index x : p) {
    require(x >= 0 && x < size, "{} holds {}, expected 0 to {}", name, x, size - 1);
    require(seen[x] == 0, "{} holds {} twice", name, x);
    seen[x] = 1;
  }
}

template <class T>
Csr<T> permute(const Csr<T>& a, std::span<const Index> new_row, std::span<const Index> new_column) {
  if (!new_row.empty()) check_permutation(new_row, a.rows, "the permutation of the rows");
  if (!new_column.empty()) check_permutation(new_column, a.columns, "the permutation of the columns");
  std::vector<Index> old_row(static_cast<std::size_t>(a.rows));
  for (std::size_t i = 0; i < old_row.size(); ++i)
    old_row[new_row.empty() ? i : static_cast<std::size_t>(new_row[i])] = static_cast<Index>(i);
  Csr<T> c = extract_rows(a, old_row);
  if (new_column.empty()) return c;
  for (Local& column : c.columns_of)
    column = static_cast<Local>(new_column[static_cast<std::size_t>(column)]);
  c.sorted = false;
  sort_rows(c);
  return c;
}

template <class T>
Csr<T> stack_rows(std::span<const Csr<T>> parts) {
  Csr<T> c;
  if (!parts.empty()) c.columns = parts[0].columns;
  for (const Csr<T>& part : parts) {
    require(part.columns == c.columns, "a part has {} columns, expected {} like the first", part.columns,
            c.columns);
    c.sorted = c.sorted && part.sorted;
    c.rows += part.rows;
    const Index before = c.entries();
    for (Index i = 0; i < part.rows; ++i) c.starts.push_back(before + part.starts[i + 1]);
    c.columns_of.append(part.columns_of.span());
    c.values.append(part.values.span());
  }
  return c;
}

#define CAIRN_INSTANTIATE(T)                                                              \
  template Csr<T> transpose(const Csr<T>&);                                               \
  template Csr<T> extract_rows(const Csr<T>&, std::span<const Index>);                    \
  template Csr<T> extract_columns(const Csr<T>&, std::span<const Index>);                 \
  template Csr<T> extract(const Csr<T>&, Index, Index, Index, Index);                     \
  template Csr<T> permute(const Csr<T>&, std::span<const Index>, std::span<const Index>); \
  template Csr<T> stack_rows(std::span<const Csr<T>>);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::sparse
