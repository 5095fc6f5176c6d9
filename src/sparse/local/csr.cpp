#include "sparse/local/csr.hpp"

#include <complex>

#include "sparse/local/row_sort.hpp"

namespace cairn::sparse {
namespace {

void check_starts(const PatternView& a, Index starts, Index columns_of, Index values, std::string_view name) {
  require(a.rows >= 0 && a.rows <= largest_side && a.columns >= 0 && a.columns <= largest_side,
          "{} is {} x {}, expected sides of 0 to {}", name, a.rows, a.columns, largest_side);
  require(starts == a.rows + 1, "{} has {} starts, expected {}: one more than rows", name, starts,
          a.rows + 1);
  require(a.starts[0] == 0, "{}: row 0 starts at entry {}, expected 0", name, a.starts[0]);
  for (Index i = 0; i < a.rows; ++i)
    require(a.starts[i] <= a.starts[i + 1], "{}: row {} starts at entry {} and ends before {}", name, i,
            a.starts[i], a.starts[i + 1]);
  require(columns_of == a.starts[a.rows] && values == columns_of,
          "{} has {} columns and {} values of entries, expected {}", name, columns_of, values,
          a.starts[a.rows]);
}

void check_columns(const PatternView& a, std::string_view name) {
  Array<Index> last_row(a.columns, -1);
  for (Index i = 0; i < a.rows; ++i) {
    Local before = -1;
    for (const Local column : a.row(i)) {
      require(column >= 0 && column < a.columns, "{}: row {} has an entry in column {}, expected 0 to {}",
              name, i, column, a.columns - 1);
      require(last_row[column] != i, "{}: row {} has column {} twice", name, i, column);
      require(!a.sorted || column > before, "{}: row {} has column {} behind {}, expected them to ascend",
              name, i, column, before);
      last_row[column] = i;
      before = column;
    }
  }
}

}  // namespace

Index fingerprint(const PatternView& pattern) {
  std::uint64_t hash = 0;
  const auto mix = [&hash](std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32;
  };
  mix(static_cast<std::uint64_t>(pattern.columns));
  for (Index i = 0; i < pattern.rows; ++i) {
    mix(static_cast<std::uint64_t>(pattern.entries_of(i)));
    for (const Local column : pattern.row(i)) mix(static_cast<std::uint64_t>(column));
  }
  return static_cast<Index>(hash);
}

template <class T>
Dcsr<T> compress_rows(Csr<T> a) {
  Dcsr<T> c;
  c.rows = a.rows;
  c.columns = a.columns;
  c.sorted = a.sorted;
  for (Index i = 0; i < a.rows; ++i) {
    if (a.entries_of(i) == 0) continue;
    c.row_of.push_back(static_cast<Local>(i));
    c.starts.push_back(a.starts[i + 1]);
  }
  c.columns_of = std::move(a.columns_of);
  c.values = std::move(a.values);
  return c;
}

template <class T>
Csr<T> expand_rows(Dcsr<T> a) {
  Csr<T> c = Csr<T>::zero(a.rows, a.columns);
  c.sorted = a.sorted;
  for (Index r = 0; r < a.filled_rows(); ++r) c.starts[a.row_of[r] + 1] = a.starts[r + 1] - a.starts[r];
  for (Index i = 0; i < a.rows; ++i) c.starts[i + 1] += c.starts[i];
  c.columns_of = std::move(a.columns_of);
  c.values = std::move(a.values);
  return c;
}

template <class T>
void check_csr(const Csr<T>& a, std::string_view name) {
  check_starts(a.pattern(), a.starts.size(), a.columns_of.size(), a.values.size(), name);
  check_columns(a.pattern(), name);
}

template <class T>
void sort_rows(Csr<T>& a) {
  if (a.sorted) return;
  RowSorter<T> sorter(a.columns);
  for (Index i = 0; i < a.rows; ++i)
    sorter.sort_stably(a.columns_of.data() + a.starts[i], a.values.data() + a.starts[i], a.entries_of(i));
  a.sorted = true;
}

#define CAIRN_INSTANTIATE(T)                                \
  template Dcsr<T> compress_rows(Csr<T>);                   \
  template Csr<T> expand_rows(Dcsr<T>);                     \
  template void check_csr(const Csr<T>&, std::string_view); \
  template void sort_rows(Csr<T>&);
CAIRN_INSTANTIATE(float)
CAIRN_INSTANTIATE(double)
CAIRN_INSTANTIATE(std::complex<float>)
CAIRN_INSTANTIATE(std::complex<double>)
CAIRN_INSTANTIATE(std::int64_t)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::sparse
